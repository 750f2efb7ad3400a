import { z } from 'zod';
import { SCHEMA_ID } from '../../names.ts';
import { DefinitionRef } from './refs.ts';

/** A definition to look at: a text, or one that is loaded. */
export const SourceFields = {
  text: z.string().optional().describe('the YAML text'),
  file: z.string().max(4096).optional().describe('the name of the text in findings; a path says that it is a file'),
  ref: DefinitionRef.optional().describe('instead of a text: name (newest version) or name@version'),
};
export const BroughtSchemas = z
  .array(z.string().regex(SCHEMA_ID))
  .max(100)
  .default([])
  .describe('artifact schemas that come with the template');

/** A source is a text or a reference, and not both. */
export function hasOne({ text, ref }: { text?: unknown; ref?: unknown }): boolean {
  return (text === undefined) !== (ref === undefined);
}

export const DefinitionSource = z.strictObject(SourceFields).refine(hasOne, 'give either text or ref');
export type DefinitionSource = z.infer<typeof DefinitionSource>;

export const LintFinding = z.object({
  code: z.string().describe('docs/lint.md lists the codes'),
  severity: z.enum(['error', 'warning']),
  file: z.string(),
  line: z.number().int(),
  column: z.number().int(),
  path: z.string(),
  message: z.string(),
  hint: z.string(),
});

/** The findings about a definition, by place. Name, version and hash are null if the text lacks them. */
export const LintReport = z.object({
  name: z.string().nullable(),
  version: z.number().int().nullable(),
  hash: z.string().nullable(),
  findings: z.array(LintFinding),
  more: z.boolean().describe('whether findings were left out'),
});
export type LintReport = z.infer<typeof LintReport>;

const Side = z.object({ name: z.string(), version: z.number().int(), hash: z.string() });

/** One difference in meaning. `from` and `to` are absent where one side has nothing. */
export const TemplateChange = z.object({
  change: z.enum(['added', 'removed', 'moved', 'changed']),
  of: z.enum(['template', 'role', 'phase']),
  /** The id of the role or the key of the phase; null for the template itself. */
  id: z.string().nullable(),
  /** The changed field; null for the whole. */
  field: z.string().nullable(),
  from: z.unknown().optional(),
  to: z.unknown().optional(),
});
export type TemplateChange = z.infer<typeof TemplateChange>;

export const TemplateDiff = z.object({
  from: Side,
  to: Side,
  /** Name and version do not count. */
  changes: z.array(TemplateChange),
});
export type TemplateDiff = z.infer<typeof TemplateDiff>;

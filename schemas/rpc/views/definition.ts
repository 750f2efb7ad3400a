import { z } from 'zod';
import { Persona } from '../../definitions/persona.ts';
import { Template } from '../../definitions/template.ts';
import { Backend, Capability, RiskLevel } from '../../enums.ts';
import { ValidationError } from '../../events/artifact.ts';
import { Verdict } from './artifact.ts';
import { Time } from './refs.ts';

const Identity = { name: z.string(), version: z.number().int(), hash: z.string() };

export const Unpublished = z
  .boolean()
  .default(false)
  .describe('also those whose files are gone and that runs still use; no run can start with them');

export const TemplateSummary = z.object({
  ...Identity,
  /** In one sentence, what it is for. An older daemon does not say. */
  about: z.string().optional(),
  phases: z.array(z.string()),
  roles: z.array(z.string()),
  /** When its newest run was created; null if it has none. An older daemon does not say. */
  lastUsedAt: Time.nullish(),
});
export type TemplateSummary = z.infer<typeof TemplateSummary>;

/** At most a hundred runs, newest first. */
const usedBy = z.array(z.string()).describe('ids of the runs that use it');

export const TemplateDetail = z.object({ ...Identity, definition: Template, usedBy });
export type TemplateDetail = z.infer<typeof TemplateDetail>;

export const PersonaSummary = z.object({
  ...Identity,
  backend: Backend,
  capabilities: z.array(Capability),
  maxRiskLevel: RiskLevel,
  allowedRoles: z.array(z.string()).nullable(),
});
export type PersonaSummary = z.infer<typeof PersonaSummary>;

export const PersonaDetail = z.object({ ...Identity, definition: Persona, usedBy });
export type PersonaDetail = z.infer<typeof PersonaDetail>;

/** The result of validating a definition. Name and version are null if the text lacks them. */
export const DefinitionVerdict = Verdict.extend({
  name: z.string().nullable(),
  version: z.number().int().nullable(),
  hash: z.string().nullable(),
  warnings: z.array(ValidationError).optional().describe('what may go wrong when a run uses it'),
});
export type DefinitionVerdict = z.infer<typeof DefinitionVerdict>;

/** A fault in a template or persona file, or of a directory whose changes devflow does not notice. */
export const DefinitionProblem = z.object({
  kind: z.enum(['template', 'persona', 'directory']),
  file: z.string(),
  /** `line: path: what is wrong`, without the file. */
  message: z.string(),
});
export type DefinitionProblem = z.infer<typeof DefinitionProblem>;

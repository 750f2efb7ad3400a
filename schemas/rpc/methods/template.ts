import { z } from 'zod';
import { ValidationError } from '../../events/artifact.ts';
import { SCHEMA_ID } from '../../names.ts';
import { defineAct, defineRead } from '../contract.ts';
import { DefinitionVerdict, TemplateDetail, TemplateSummary, Unpublished } from '../views/definition.ts';
import { BroughtSchemas, DefinitionSource, hasOne, LintReport, SourceFields, TemplateDiff } from '../views/lint.ts';
import { DefinitionRef } from '../views/refs.ts';
import { Rehearsal } from '../views/rehearsal.ts';

export const templateList = defineRead({
  name: 'template.list',
  summary: 'List templates',
  params: z.strictObject({ unpublished: Unpublished }),
  result: z.array(TemplateSummary),
});

export const templateGet = defineRead({
  name: 'template.get',
  summary: 'Show a template',
  params: z.strictObject({ template: DefinitionRef }),
  result: TemplateDetail,
  errors: ['template_not_found'],
});

const Shipped = z.strictObject({
  schema: z.string().regex(SCHEMA_ID),
  definition: z.record(z.string(), z.unknown()).describe('a JSON Schema'),
  ok: z.unknown().describe('an example that it accepts'),
  invalid: z.unknown().describe('an example that it refuses'),
});

export const templatePromote = defineAct({
  name: 'template.promote',
  summary: 'Publish a template among the own ones, after lint and a walk of all its paths',
  params: z.strictObject({
    text: z.string().describe('the YAML text of the template'),
    artifacts: z.array(Shipped).max(100).default([]).describe('artifact schemas that come with the template'),
  }),
  result: z.object({
    lint: LintReport,
    /** The faults of the artifact schemas. */
    faults: z.array(ValidationError),
    /** Null for a text that lint refuses. */
    rehearsal: Rehearsal.nullable(),
    /** Null if something was found. */
    promoted: z.object({ file: z.string(), artifacts: z.array(z.string()) }).nullable(),
  }),
  withoutDaemon: true,
  errors: ['file_exists'],
});

export const templateRehearse = defineRead({
  name: 'template.rehearse',
  summary: 'Walk all paths of a template without an agent',
  params: z.strictObject({ ...SourceFields, schemas: BroughtSchemas }).refine(hasOne, 'give either text or ref'),
  result: z.object({
    verdict: DefinitionVerdict,
    /** The YAML text that was rehearsed. */
    text: z.string(),
    /** The roles of the template. */
    roles: z.array(z.string()),
    /** Null for a text that is no template. */
    rehearsal: Rehearsal.nullable(),
  }),
  withoutDaemon: true,
  errors: ['template_not_found'],
});

export const templateValidate = defineRead({
  name: 'template.validate',
  summary: 'Check the YAML text of a template',
  params: z.strictObject({ text: z.string() }),
  result: DefinitionVerdict,
  withoutDaemon: true,
});

export const templateLint = defineRead({
  name: 'template.lint',
  summary: 'Check a template by all rules of lint',
  params: z.strictObject({ ...SourceFields, schemas: BroughtSchemas }).refine(hasOne, 'give either text or ref'),
  result: LintReport,
  withoutDaemon: true,
  errors: ['template_not_found'],
});

export const templateDiff = defineRead({
  name: 'template.diff',
  summary: 'Compare two templates by what they mean',
  params: z.strictObject({ from: DefinitionSource, to: DefinitionSource }),
  result: TemplateDiff,
  withoutDaemon: true,
  errors: ['template_not_found', 'template_invalid'],
});

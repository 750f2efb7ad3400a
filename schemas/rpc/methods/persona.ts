import { z } from 'zod';
import { defineAct, defineRead } from '../contract.ts';
import { DefinitionVerdict, PersonaDetail, PersonaSummary, Unpublished } from '../views/definition.ts';
import { DefinitionSource, LintReport } from '../views/lint.ts';
import { DefinitionRef } from '../views/refs.ts';

export const personaList = defineRead({
  name: 'persona.list',
  summary: 'List personas',
  params: z.strictObject({ unpublished: Unpublished }),
  result: z.array(PersonaSummary),
});

export const personaGet = defineRead({
  name: 'persona.get',
  summary: 'Show a persona',
  params: z.strictObject({ persona: DefinitionRef }),
  result: PersonaDetail,
  errors: ['persona_not_found'],
});

export const personaPublish = defineAct({
  name: 'persona.publish',
  summary: 'Publish a persona among the own ones, after lint',
  params: z.strictObject({ text: z.string().describe('the YAML text of the persona') }),
  result: z.object({
    lint: LintReport,
    /** The file; null if lint refuses the text. */
    published: z.string().nullable(),
  }),
  withoutDaemon: true,
  errors: ['file_exists'],
});

export const personaValidate = defineRead({
  name: 'persona.validate',
  summary: 'Check the YAML text of a persona',
  params: z.strictObject({ text: z.string() }),
  result: DefinitionVerdict,
  withoutDaemon: true,
});

export const personaLint = defineRead({
  name: 'persona.lint',
  summary: 'Check a persona by all rules of lint',
  params: DefinitionSource,
  result: LintReport,
  withoutDaemon: true,
  errors: ['persona_not_found'],
});

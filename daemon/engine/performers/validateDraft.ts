import { readTemplateText } from '../../../schemas/definitions/definitionFile.ts';
import { absentRoles } from '../../../schemas/definitions/lint/absentRoles.ts';
import { lintTemplate } from '../../../schemas/definitions/lint/lintTemplate.ts';
import type { Linted } from '../../../schemas/definitions/lint/lintText.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';
import type { RepoFacts } from '../../../schemas/repoFacts.ts';
import { getValidated, type ValidatedArtifact } from '../../artifacts/storedArtifact.ts';
import { rehearseInParts } from '../../core/rehearse/rehearse.ts';
import { citationFaults } from '../../definitions/factory/citationFaults.ts';
import type { Draft } from '../../definitions/factory/draft.ts';
import { shippedFaults } from '../../definitions/factory/shippedFaults.ts';
import { inParts } from '../../system/inParts.ts';
import type { PerformerPorts } from './performer.ts';

/**
 * Refuses a draft of a template that devflow cannot rehearse. It looks at its form, the origin of its commands, and the
 * files that it brings.
 */
export async function validateDraft(
  facts: ValidatedArtifact,
  worktree: string,
  data: unknown,
  { registry, lintKnowledge }: Pick<PerformerPorts, 'registry' | 'lintKnowledge'>,
): Promise<ValidationError[]> {
  const draft = data as Draft;
  const repoFacts = JSON.parse((await getValidated(facts, worktree)).toString('utf8')) as RepoFacts;
  const shipped = shippedFaults(draft, (schema) => registry.schemaFault(schema) === undefined);
  const brought = new Set(draft.artifacts.map(({ schema }) => schema));
  const schemas = {
    schemaFault: (schema: string) => (brought.has(schema) ? undefined : registry.schemaFault(schema)),
  };
  const known = { ...lintKnowledge(), schemas };
  const linted = errorsOf(lintTemplate({ text: draft.yaml, file: 'draft', isFile: false }, known));
  const read = readTemplateText(draft.yaml, schemas);
  if (!read.ok) return [...linted, ...shipped];
  const template = read.value.definition;
  const { findings } = await inParts(rehearseInParts(template, absentRoles(template, known)));
  const walked = findings.map(({ code, message, path }) => ({
    path: '/yaml',
    message: [`${code}: ${message}`, ...path.map((step, nth) => `${nth + 1}. ${step}`)].join('; '),
  }));
  return [...linted, ...citationFaults(template, draft, repoFacts), ...walked, ...shipped];
}

/** Warnings are for the person at the gate. */
function errorsOf({ findings }: Linted): ValidationError[] {
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, line, column, message, hint }) => ({
      path: '/yaml',
      message: `${code} in line ${line}, column ${column}: ${message.replace(/\.$/, '')}. ${hint}`,
    }));
}

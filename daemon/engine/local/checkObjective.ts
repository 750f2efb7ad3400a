import { MEASURED } from '../../../schemas/definitions/exchange.ts';
import type { Registry } from '../../../schemas/definitions/registry.ts';
import type { Template } from '../../../schemas/definitions/template.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { type ObjectiveDocument, schemaOfObjective } from '../../../schemas/objective/readObjective.ts';

/** Limited, because prompts, the log and the report contain it. */
const OBJECTIVE_CHARACTERS = 64 * 1024;
const SHOWN_FAULTS = 10;

const refuse = (message: string, recoveryHint: string) => new DevflowError('usage', message, { recoveryHint });

/** Refuses an objective that the template does not take, or that a loop could not be judged by. */
export function checkObjective(
  template: Template,
  objective: unknown,
  registry: Pick<Registry, 'validateArtifact'>,
): void {
  const name = `Template ${template.name}@${template.version}`;
  const isMeasured = template.iterate?.until === MEASURED;
  if (objective === undefined) {
    if (!isMeasured) return;
    throw refuse(
      `${name} needs an objective.`,
      'Give it with --objective <file>; docs/objectives.md says what is in it.',
    );
  }
  if (typeof objective !== 'object' || objective === null || Array.isArray(objective)) {
    throw refuse('The objective must be a JSON object.', 'Fix the file given as --objective.');
  }
  const size = JSON.stringify(objective).length;
  if (size > OBJECTIVE_CHARACTERS) {
    const message = `The objective has ${size} characters; ${OBJECTIVE_CHARACTERS} are allowed.`;
    throw refuse(message, 'Shorten the file given as --objective.');
  }
  if (isMeasured) checkDocument(objective, registry);
  if (template.phases.some(({ instructions }) => instructions?.includes('{{objective}}'))) return;
  const message = `${name} does not take an objective: none of its instructions contains {{objective}}.`;
  throw refuse(message, 'Leave --objective out, or choose another template.');
}

function checkDocument(objective: object, registry: Pick<Registry, 'validateArtifact'>): void {
  const id = schemaOfObjective(objective);
  const result = registry.validateArtifact(id, objective);
  if (result.ok) return;
  const faults = result.errors.slice(0, SHOWN_FAULTS).map(({ path, message }) => `${path || '/'} ${message}`);
  throw new DevflowError('usage', `The objective does not keep to ${id}: ${faults.join('; ')}.`, {
    recoveryHint: 'Fix the file given as --objective; docs/objectives.md says what is in it.',
    data: { schema: id, errors: result.errors },
  });
}

/** The command that the objective has measured; undefined if it is given in another way. */
export function commandOfObjective(objective: unknown): string[] | undefined {
  return (objective as Partial<ObjectiveDocument> | undefined)?.measure?.argv;
}

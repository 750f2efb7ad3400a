import { MEASURED } from '../../../schemas/definitions/exchange.ts';
import type { Registry } from '../../../schemas/definitions/registry.ts';
import type { Template } from '../../../schemas/definitions/template.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { faultsOfObjective } from '../../../schemas/objective/objectiveFaults.ts';
import { type ObjectiveDocument, schemaOfObjective } from '../../../schemas/objective/readObjective.ts';
import { compileGlob } from '../../core/glob/compileGlob.ts';
import { matchesCompiled } from '../../core/glob/matchesGlob.ts';

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
  if (result.ok) {
    refuseUnreachable(objective as ObjectiveDocument);
    return;
  }
  const faults = result.errors.slice(0, SHOWN_FAULTS).map(({ path, message }) => `${path || '/'} ${message}`);
  throw new DevflowError('usage', `The objective does not keep to ${id}: ${faults.join('; ')}.`, {
    recoveryHint: 'Fix the file given as --objective; docs/objectives.md says what is in it.',
    data: { schema: id, errors: result.errors },
  });
}

/** An objective that no state can meet, or that nobody can read, would only cost time. */
function refuseUnreachable(objective: ObjectiveDocument): void {
  const faults = [...faultsOfObjective(objective).faults, ...editableFaults(objective)];
  if (faults.length === 0) return;
  throw new DevflowError(
    'usage',
    `The objective can never be met as it is: ${faults.slice(0, SHOWN_FAULTS).join('; ')}.`,
    {
      recoveryHint: 'Fix the file given as --objective; docs/objectives.md says what its fields mean.',
      data: { faults },
    },
  );
}

/** Sentences about what a person should check before a measured run starts. */
export function objectiveWarnings({ iterate }: Template, objective: unknown): string[] {
  if (iterate?.until !== MEASURED || objective === undefined) return [];
  return faultsOfObjective(objective as ObjectiveDocument).warnings.map((warning) => `The objective: ${warning}.`);
}

/** Paths of no project: what protects all of them protects everything. */
const ANYWHERE = ['a-new-file', 'a-directory/a-new-file', 'a-directory/another/a-new-file.txt'];

/** Agents must be able to change something. A path of both lists is protected. */
function editableFaults({ editable = [], protected: globs = [] }: ObjectiveDocument): string[] {
  const rule = { ignoreCase: false };
  const mustStay = globs.map((glob) => compileGlob(glob, rule));
  const isProtected = (path: string) => matchesCompiled(path, mustStay) === 'yes';
  if (editable.length === 0)
    return ANYWHERE.every(isProtected) ? ['protected names every file, so that agents can change nothing'] : [];
  const samples = editable.flatMap((glob) => compileGlob(glob, rule).patterns.map(({ sample }) => sample));
  return samples.every(isProtected)
    ? ['protected names every file that is editable, so that agents can change nothing']
    : [];
}

/** The command that the objective has measured; undefined if it is given in another way. */
export function commandOfObjective(objective: unknown): string[] | undefined {
  return (objective as Partial<ObjectiveDocument> | undefined)?.measure?.argv;
}

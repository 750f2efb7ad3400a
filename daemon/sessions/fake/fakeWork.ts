import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fixtureFile } from '../../../schemas/definitions/schemaIds.ts';
import type { PromptEnvelope } from '../../../schemas/envelope.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { writeAnswers } from './answerComments.ts';
import type { Received } from './fakeJournal.ts';
import { fixtureOf, SILENT_SCENARIOS } from './fakeScenario.ts';
import { improveStrategy } from './improvement.ts';
import { doLaneWork } from './lane/laneWork.ts';
import { writeWhole } from './lane/worktreeFiles.ts';
import { doReviewWork } from './review/reviewWork.ts';

/** A directory of examples, or several: the first one that has an example counts. */
export type Fixtures = string | readonly string[];

/** The text of the fixture. Throws an error that lists the scenarios. */
export async function readFixture(fixtures: Fixtures, schema: string, scenario: string): Promise<string | undefined> {
  const name = fixtureOf(scenario);
  if (name === undefined) return undefined;
  const directories = [fixtures].flat();
  const [path] = directories.flatMap((directory) => fixtureFile(directory, schema, name) ?? []);
  try {
    if (path === undefined) throw new TypeError(`no fixture ${name} of ${schema}`);
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new DevflowError('backend_unavailable', `The fake agent has no fixture ${schema}/${name}.`, {
      cause,
      recoveryHint: `Add one to ${join(directories.at(-1) ?? '', schema)}, or use Scenario: ok, invalid, slow, ${SILENT_SCENARIOS.join(', ')}, or <a>-then-<b>.`,
    });
  }
}

/** The file that an implementer changes. Its content depends only on the prompt, so writing it twice is harmless. */
export function codeChange(envelope: PromptEnvelope): Received['code'] {
  if (!envelope.expectedSchema.startsWith('dev/implementation@')) return undefined;
  const { phaseKey, attempt, roleId, instructions } = envelope;
  const digest = createHash('sha256').update(instructions).digest('hex').slice(0, 16);
  const quoted = instructions
    .slice(0, 2000)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
  const content = `# ${phaseKey}, attempt ${attempt}, by ${roleId}\n\nInstructions ${digest}:\n\n${quoted}\n`;
  return { path: `fake/${phaseKey}-${attempt}.md`, content };
}

const PROJECT_DIR = /\.claude\/projects\/[a-z0-9-]+\//g;

/** The project directory that a prompt names. */
export function projectDirIn(instructions: string): string | undefined {
  return instructions.match(PROJECT_DIR)?.[0];
}

/** Code first, artifact last: the artifact says that the work is done. */
export async function doWork(cwd: string, fixtures: Fixtures, work: Received): Promise<void> {
  const example = await readFixture(fixtures, work.schema, work.scenario);
  if (example === undefined) return;
  const fixture = work.projectDir === undefined ? example : example.replaceAll(PROJECT_DIR, work.projectDir);
  if (work.improvement !== undefined) improveStrategy(cwd, work.improvement);
  else if (work.code) writeWhole(cwd, work.code.path, work.code.content);
  const { lane, review, dedupKey } = work;
  const made = lane ? doLaneWork(cwd, lane, dedupKey) : review && doReviewWork(cwd, review, dedupKey);
  const own = made ?? work.content;
  const isOk = fixtureOf(work.scenario) === 'ok';
  if (work.comments) writeAnswers(cwd, work.path, work.comments, work.scenario);
  writeWhole(cwd, relative(cwd, work.path), isOk && own !== undefined ? own : fixture);
}

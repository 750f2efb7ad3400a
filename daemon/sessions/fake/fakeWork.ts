import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ArtifactSchemaId } from '../../../schemas/definitions/template.ts';
import type { PromptEnvelope } from '../../../schemas/envelope.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { writeInside } from '../../../schemas/files/insideRoot.ts';
import type { Received } from './fakeJournal.ts';
import { fixtureOf, SILENT_SCENARIOS } from './fakeScenario.ts';

/** What the fake agent does with its hands: the fixture into the artifact file, and a change of code where one is due. */

/** The text of the fixture; throws an error that tells the person which scenarios there are. */
export async function readFixture(fixturesDir: string, schema: string, scenario: string): Promise<string | undefined> {
  const name = fixtureOf(scenario);
  if (name === undefined) return undefined;
  const path = join(fixturesDir, schema, `${name}.json`);
  try {
    if (!ArtifactSchemaId.safeParse(schema).success) throw new TypeError(`not a schema id: ${schema}`);
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new DevflowError('backend_unavailable', `The fake agent has no fixture ${schema}/${name}.json.`, {
      cause,
      recoveryHint: `Add ${path}, or use Scenario: ok, invalid, slow, ${SILENT_SCENARIOS.join(', ')}, or <a>-then-<b>.`,
    });
  }
}

/** The file an implementer changes: its content depends on the prompt alone, so that doing it twice is doing it once. */
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

/** Code first, artifact last: an artifact says that the work is there. */
export async function doWork(cwd: string, fixturesDir: string, work: Received): Promise<void> {
  const content = await readFixture(fixturesDir, work.schema, work.scenario);
  if (content === undefined) return;
  if (work.code) writeWhole(cwd, work.code.path, work.code.content);
  writeWhole(cwd, relative(cwd, work.path), content);
}

/**
 * Replaces a file atomically. Two agents that write at once use different drafts. It does not recreate a removed worktree.
 */
function writeWhole(cwd: string, path: string, content: string): void {
  const written = writeInside(cwd, path, content, 0o644);
  if (!written.ok) throw new Error(written.fault);
}

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { StartInput } from '../../daemon/sessions/contract/adapter.ts';
import { readFakeJournal } from '../../daemon/sessions/fake/fakeJournal.ts';
import { type PromptEnvelope, promptHash } from '../../schemas/envelope.ts';
import { derivedId } from '../../schemas/ids.ts';

export const FIXTURES = {
  'dev/spec@1': { ok: '{"title":"fine"}', invalid: '{"title":7}' },
  'dev/implementation@1': { ok: '{"summary":"done"}', invalid: '{}' },
  'dev/dag@1': { ok: '{"tasks":[]}', invalid: '{}' },
  'dev/conflict-resolution@1': { ok: '{"hunks":[]}', invalid: '{}' },
  'dev/review-finding-batch@1': { ok: '{"findings":[]}', invalid: '{}' },
  'dev/review-finding-batch@2': { ok: '{"findings":[]}', invalid: '{}' },
} as const;

export const RUN_ID = derivedId('test run');

/** A place for one session on disk, removed when the test ends. */
export interface SessionPlace {
  fixturesDir: string;
  input: StartInput;
  envelope(about?: Partial<PromptEnvelope>): PromptEnvelope;
  /** The prompts the agent took, by its own journal. */
  received(): Promise<string[]>;
}

export async function sessionPlace(roleId = 'planner'): Promise<SessionPlace> {
  const root = await mkdtemp(join(tmpdir(), 'devflow-session-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [fixturesDir, cwd, sessionDir] = [join(root, 'fixtures'), join(root, 'worktree'), join(root, 'session')];
  await mkdir(cwd);
  for (const [schema, scenarios] of Object.entries(FIXTURES)) {
    await mkdir(join(fixturesDir, schema), { recursive: true });
    for (const [name, text] of Object.entries(scenarios))
      await writeFile(join(fixturesDir, schema, `${name}.json`), text);
  }
  const sessionId = derivedId(RUN_ID, 'session', roleId);
  const input: StartInput = {
    sessionId,
    runId: RUN_ID,
    repoPath: cwd,
    roleId,
    laneId: 'main',
    backend: 'fake',
    cwd,
    sessionDir,
    prelude: 'You are the fake agent.',
  };
  return {
    fixturesDir,
    input,
    envelope: (about = {}) => envelopeFor(input, about),
    received: async () =>
      (await readFakeJournal(sessionDir)).flatMap((line) => (line.type === 'received' ? [line.dedupKey] : [])),
  };
}

function envelopeFor(input: StartInput, about: Partial<PromptEnvelope>): PromptEnvelope {
  const subject = {
    runId: input.runId,
    roleId: input.roleId,
    phaseKey: 'spec',
    attempt: 1,
    expectedSchema: 'dev/spec@1',
    instructions: 'Write the specification.',
    ...about,
  };
  const expectedArtifact =
    about.expectedArtifact ??
    join(input.cwd, '.devflow', 'artifacts', subject.phaseKey, `${subject.attempt}`, 'a.json');
  const dedupKey = about.dedupKey ?? promptHash({ ...subject, expectedArtifact });
  return { ...subject, expectedArtifact, dedupKey, uuid: about.uuid ?? derivedId(dedupKey) };
}

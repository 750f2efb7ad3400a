import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { proveEnd } from '../e2e/support.ts';
import { startModel } from '../fixtures/model/model.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { daemonWithPanes } from '../helpers/paneDaemon.ts';
import { isolatedEnv, makeRepo } from '../helpers/testRepo.ts';
import { BINARIES } from './programs/found.ts';
import { seed } from './support/seed.ts';

test.each([
  { planner: 'claude', implementer: 'codex' },
  { planner: 'codex', implementer: 'claude' },
] as const)(
  'development@1 with $planner as planner, its daemon killed in each phase',
  async (backend) => {
    const { daemon } = await daemonWithPanes();
    const model = await startModel();
    onTestFinished(() => model.close());
    const home = join(daemon.root, 'home');
    const repo = makeRepo(join(daemon.root, 'project'), isolatedEnv(home));
    const seeding = { home, modelUrl: model.url, repo: repo.dir, trusted: true, loggedIn: true };
    const env = {
      ...seed('claude', seeding),
      ...seed('codex', seeding),
      DEVFLOW_CLAUDE_BINARY: BINARIES.claude,
      DEVFLOW_CODEX_BINARY: BINARIES.codex,
      // Neither writes a file in one piece: the 5 ms of other tests are too short for them.
      DEVFLOW_ARTIFACT_DEBOUNCE_MS: '500',
    };
    await daemon.start(env);
    const runId = await startRun(daemon, { repo: repo.dir, backend });
    for (const phase of ['spec', 'plan', 'implement']) {
      const events = await drive(daemon, runId, { stopAt: isAsked(phase) });
      expect(events.at(-1)?.type).toBe('prompt.sent');
      await daemon.kill('SIGKILL');
      await daemon.start(env);
    }
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
    const { artifacts } = await daemon.call('run.get', { runId });
    expect(artifacts.map(({ phaseKey }) => phaseKey)).toEqual(['spec', 'plan', 'implement']);
    const uuids = [...new Set(model.heard.flatMap(({ prompts }) => prompts))];
    expect(uuids.map((uuid) => model.deliveries(uuid))).toEqual([1, 1, 1]);
    expect(model.merged).toEqual([]);
  },
  240_000,
);

/** A prompt of that phase was sent: it is the agent's turn. */
function isAsked(phase: string) {
  return ({ type, payload }: EventView) =>
    type === 'prompt.sent' && String(payload.expectedArtifact).includes(`/artifacts/${phase}/`);
}

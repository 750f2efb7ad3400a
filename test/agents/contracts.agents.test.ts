import { expect, test } from 'vitest';
import { payloads, proveEnd } from '../e2e/support.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { deliveriesOf, realDaemon } from './support/realDaemon.ts';

test('HC-8.1 a pipeline with the real Claude and Codex leaves handovers that are valid', async () => {
  const { daemon, env, model, repo } = await realDaemon();
  await daemon.start(env);
  const backend = { planner: 'claude', implementer: 'codex', reviewer: 'claude' } as const;
  const runId = await startRun(daemon, { repo, template: 'pipeline@1', backend });
  const events = await drive(daemon, runId, { patienceMs: 150_000 });
  const { run } = await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'artifact.invalid')).toEqual([]);
  expect(run.handovers?.map(({ contract }) => contract)).toEqual([
    'handover/brief@1',
    'handover/research@1',
    'handover/plan@1',
    'handover/review@1',
  ]);
  expect(await daemon.ask('contract.check', { repo: run.worktreeRoot })).toMatchObject({ valid: true });
  expect(deliveriesOf(model)).toEqual([1, 1, 1, 1, 1]);
});

test('CS-53 a cycle with the real Claude and Codex has the state that devflow writes of it', async () => {
  const { daemon, env, model, repo } = await realDaemon();
  await daemon.start(env);
  const backend = { ra: 'claude', ep: 'claude', cd: 'codex', vas: 'claude' } as const;
  const runId = await startRun(daemon, { repo, template: 'dev-cycle@1', backend });
  const events = await drive(daemon, runId, { patienceMs: 150_000 });
  const { run } = await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'artifact.invalid')).toEqual([]);
  const [id = ''] = await daemon.ask('cycle.list', { repo: run.worktreeRoot });
  expect(await daemon.ask('cycle.show', { repo: run.worktreeRoot, id })).toMatchObject({
    status: 'completed',
    changes: { changes: [{ agent: 'cd', action: 'create' }] },
  });
  expect(deliveriesOf(model)).toEqual([1, 1, 1, 1]);
});

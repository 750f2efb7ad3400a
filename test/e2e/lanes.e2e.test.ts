import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { type Asked, drive, ended, startRun } from '../helpers/drive.ts';
import { flakyCheck } from '../helpers/flakyCheck.ts';
import { daemonWithPanes } from '../helpers/paneDaemon.ts';
import { until } from '../helpers/until.ts';
import { BROKEN, COLLIDES, COLLIDING, runTasks, startTasks, TEMPLATE } from './laneRuns.ts';
import { type Planned, requirementsFor } from './plannedTasks.ts';
import { payloads } from './support.ts';

test('a plan with one task ends like a plan without lanes: one commit, and nothing is asked but at the gates', async () => {
  const daemon = await startDaemon();
  const { run, runId, events, repo } = await runTasks(daemon, [{ id: 'A' }], [['true']]);
  expect(run.state).toBe('completed');
  const gates = payloads(events, 'approval.requested').map(({ gateKey }) => gateKey);
  expect(gates).toEqual(['spec_approved', 'plan_approved', 'changes_approved']);
  expect(payloads(events, 'checkout.changed')).toEqual([]);
  expect(repo.git('log', '--format=%s', `main..devflow/${runId}/main`)).toBe(
    'The greeting uses the first argument; without one it is as before',
  );
});

test('the agent of a lane ends when the lane has landed, also if the daemon died; what it wrote elsewhere is told', async () => {
  const { daemon, env, tmux } = await daemonWithPanes();
  await daemon.start(env);
  const repo = daemon.repo();
  const backend = { planner: 'claude', implementer: 'claude', resolver: 'claude' } as const;
  // This agent writes wherever it is told to.
  const words = [`Also-Writes: ${join(repo.dir, 'stray.txt')}`];
  const request = { template: TEMPLATE, requirements: requirementsFor([{ id: 'A', words }]), backend };
  const runId = await startRun(daemon, { repo: repo.dir, ...request });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'lane.landed', patienceMs: 200_000 });
  await daemon.kill('SIGKILL');
  await daemon.start(env);
  const atGate = ({ type, payload }: EventView) =>
    type === 'approval.requested' && payload.gateKey === 'changes_approved';
  const events = await drive(daemon, runId, {
    decide: ({ gateKey }) => (gateKey === 'changes_approved' ? undefined : { action: 'approve' }),
    stopAt: atGate,
  });
  await until('the agent of the lane has no pane', () => !tmux('list-panes', '-a').includes('implementer'));
  expect(tmux('list-panes', '-a')).toContain('planner');
  const sessions = await daemon.call('session.list', { runId });
  expect(sessions.map(({ laneId, state }) => [laneId, state])).toEqual([
    ['lane-1', 'ENDED'],
    ['main', 'READY'],
  ]);
  expect(payloads(events, 'session.crashed')).toEqual([]);
  expect(payloads(events, 'checkout.changed')).toMatchObject([
    { laneId: 'lane-1', assignment: 'A', paths: ['stray.txt'], headMoved: false },
  ]);
  const gate = String(events.at(-1)?.payload.approvalRequestId);
  expect((await daemon.cli(['approval', 'show', gate])).stdout).toContain('worked on A: stray.txt');
  await drive(daemon, runId);
  expect((await ended(daemon, runId)).state).toBe('completed');
  expect(await daemon.call('run.verify', { runId })).toMatchObject({ ok: true, differences: [] });
});

test('a lane that conflicts with what landed is resolved by its agent', async () => {
  const daemon = await startDaemon();
  const words = ['Also-Writes: shared.txt'];
  const { run, runId, events, repo } = await runTasks(daemon, [
    { id: 'A', words },
    { id: 'B', words },
  ]);
  expect(run.state).toBe('completed');
  expect(payloads(events, 'merge.ejected')).toMatchObject([{ cause: 'conflict', paths: ['shared.txt'] }]);
  const shared = repo.git('show', `devflow/${runId}/main:shared.txt`);
  for (const id of ['A', 'B']) expect(shared).toContain(id);
  expect(await daemon.call('run.verify', { runId })).toMatchObject({ ok: true, differences: [] });
});

test('a resolver that commits the merge itself is told so, and its lane lands', async () => {
  const { daemon, env } = await daemonWithPanes();
  await daemon.start(env);
  const repo = daemon.repo();
  const backend = { planner: 'claude', implementer: 'claude', resolver: 'claude' } as const;
  const words = ['Also-Writes: shared.txt', 'Resolve: commit-then-well'];
  const requirements = requirementsFor([
    { id: 'A', words },
    { id: 'B', words },
  ]);
  const runId = await startRun(daemon, { repo: repo.dir, template: TEMPLATE, requirements, backend });
  const events = await drive(daemon, runId, { patienceMs: 200_000 });
  const run = await ended(daemon, runId);
  expect(run.state).toBe('completed');
  expect(payloads(events, 'merge.ejected')).toMatchObject([
    { cause: 'conflict', faults: [] },
    { cause: 'conflict', faults: [expect.stringContaining('devflow makes the commit')] },
  ]);
  const gates = payloads(events, 'approval.requested').map(({ gateKey }) => gateKey);
  expect(gates).toEqual(['spec_approved', 'plan_approved', 'changes_approved']);
  const report = readFileSync(run.finalReportPath ?? '', 'utf8');
  expect(report).toMatch(/- `\w{12}` in lane lane-\d, task [AB]\n/);
  expect(report).not.toContain('not made by devflow');
  const shared = repo.git('show', `devflow/${runId}/main:shared.txt`);
  for (const id of ['A', 'B']) expect(shared).toContain(id);
  expect(await daemon.call('run.verify', { runId })).toMatchObject({ ok: true, differences: [] });
});

test('a lane that breaks a check together with what landed is named with it, whatever another check does', async () => {
  const daemon = await startDaemon();
  // The flaky check fails once, at the first tree with the work of C, which has nothing to do with either.
  const verify = [['sh', '-c', COLLIDES], flakyCheck(join(daemon.root, 'failed'), 'src/C')];
  const { run, events, files } = await runTasks(daemon, COLLIDING, verify);
  expect(run.state).toBe('completed');
  const [first] = payloads(events, 'lane.landed').filter(({ laneId }) => laneId !== 'lane-3');
  const second = first?.laneId === 'lane-1' ? 'lane-2' : 'lane-1';
  const ejected = payloads(events, 'merge.ejected');
  expect(ejected).toMatchObject([{ laneId: second, cause: 'interaction', with: [first?.laneId] }]);
  for (const { id } of COLLIDING) expect(files.some((file) => file.startsWith(`src/${id}/`))).toBe(true);
  expect(payloads(events, 'lane.landed')).toHaveLength(3);
});

test('a check that fails once sends no lane back', async () => {
  const daemon = await startDaemon();
  const verify = [flakyCheck(join(daemon.root, 'failed'), 'src/A')];
  const { run, events } = await runTasks(daemon, [{ id: 'A' }, { id: 'B' }], verify);
  expect(run.state).toBe('completed');
  expect(payloads(events, 'merge.ejected')).toEqual([]);
  expect(payloads(events, 'merge.landed').flatMap(({ flaky }) => flaky)).toContain('lane-1');
});

test('nobody is blamed for a check that fails without new work, but for one that makes it fail worse', async () => {
  const daemon = await startDaemon();
  const check = 'echo FAIL old; ! grep -rqs BROKEN src/B || echo FAIL new; exit 1';
  const { runId } = await startTasks(daemon, [{ id: 'A' }, { id: 'B', words: BROKEN }], [['sh', '-c', check]]);
  const isRed = ({ payload }: EventView) => payload.gateKey === 'base_red';
  await drive(daemon, runId, {
    decide: ({ gateKey }) => (gateKey === 'base_red' ? undefined : { action: 'approve' }),
    stopAt: isRed,
  });
  const [gate] = (await daemon.cli(['approval', 'list', '--json'])).stdout.match(/[0-9a-f-]{36}/g) ?? [];
  expect(await daemon.cli(['approval', 'request-changes', String(gate), '--comment', 'Mend it'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /base_red .* cannot be decided with request changes[\s\S]*Decide with approve or reject or abort/,
    ),
  });
  const events = await drive(daemon, runId);
  // The same command is the last phase, which asks a person again.
  expect((await ended(daemon, runId)).state).toBe('completed');
  expect(payloads(events, 'merge.ejected')).toMatchObject([{ laneId: 'lane-2', cause: 'own' }]);
  expect(events.filter(isRed)).toHaveLength(1);
  expect(payloads(events, 'lane.landed')).toHaveLength(2);
});

test('a lane that a person rejected is named at the last gate and in the report, and can be taken up again', async () => {
  const daemon = await startDaemon();
  const tasks: Planned[] = [{ id: 'A' }, { id: 'B', words: ['Scenario: stubborn'] }, { id: 'C', dependsOn: ['B'] }];
  const { runId } = await startTasks(daemon, tasks, [['sh', '-c', '! grep -rqs BROKEN src/B']]);
  const isLast = ({ gateKey }: { gateKey?: unknown }) => gateKey === 'changes_approved';
  const reject = ({ gateKey }: { gateKey: string }) =>
    gateKey === 'merge_failed' ? ({ action: 'reject', comment: 'Not worth it.' } as const) : undefined;
  const events = await drive(daemon, runId, {
    decide: (asked) => reject(asked) ?? (isLast(asked) ? undefined : { action: 'approve' }),
    stopAt: ({ payload }) => isLast(payload),
    patienceMs: 200_000,
  });
  const gate = String(events.at(-1)?.payload.approvalRequestId);
  const lane = String(payloads(events, 'lane.abandoned')[0]?.laneId);
  const shown = (await daemon.cli(['approval', 'show', gate])).stdout;
  expect(shown).toContain('! 2 of 3 tasks are not done.');
  expect(shown).toContain(
    `! Not done: B Title of B (${lane} ended: rejected at the gate merge_failed: Not worth it.)\n`,
  );
  const again = await daemon.cli(['run', 'reopen', runId, lane, '--comment', 'Once more.']);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining(lane) });
  // The same agent goes on, and is as stubborn as before.
  const decide = (asked: Asked) => reject(asked) ?? ({ action: 'approve' } as const);
  const all = await drive(daemon, runId, { decide, patienceMs: 200_000 });
  expect(payloads(all, 'lane.reopened')).toEqual([{ laneId: lane, nth: 1, comment: 'Once more.' }]);
  expect(payloads(all, 'lane.abandoned')).toMatchObject([{ laneId: lane }, { laneId: lane, nth: 2 }]);
  const run = await ended(daemon, runId);
  expect(run.state).toBe('completed');
  const report = readFileSync(String(run.finalReportPath), 'utf8');
  expect(report).toMatch(/^# Completed without 2 of 3 tasks: /);
  expect(report).not.toContain('approved anyway');
  expect(await daemon.call('run.verify', { runId })).toMatchObject({ ok: true, differences: [] });
});

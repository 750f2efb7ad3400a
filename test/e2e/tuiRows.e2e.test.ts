import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDaemon } from '../helpers/daemon.ts';
import { drive, ended, readLog, startRun } from '../helpers/drive.ts';
import { seatRobot } from '../helpers/robot.ts';
import { decideBy, deskFor } from './dashboard.ts';
import { payloads, proveEnd } from './support.ts';

test('decides on rows, opens the next gate, and aborts and cleans up the marked runs after one question', async () => {
  const daemon = await startDaemon();
  const runs: string[] = [];
  for (const title of ['First', 'Second', 'Third']) {
    const request = { template: 'quick-change@1', backend: { implementer: 'fake' } as const, title };
    const runId = await startRun(daemon, { repo: daemon.repo().dir, ...request });
    await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
    runs.push(runId);
  }
  const [first = '', second = '', third = ''] = runs;
  const stateOf = async (runId: string) => (await daemon.call('run.get', { runId })).state;
  const desk = deskFor(daemon);
  const command = `exec ${desk.devflow} tui`;
  const robot = seatRobot(desk, 'person', { command, columns: 100, rows: 30 });

  await robot.sees(/▌\? decision +\S+ First/);
  robot.press('a');
  await robot.sees('y approve');
  await robot.sees('! A fake agent took part');
  await decideBy(robot, 'y', 'Approved: changes_approved');
  await ended(daemon, first);

  // The next gate is that of the second run.
  await robot.sees(`run ${second.slice(0, 8)}`);
  robot.press('Escape');
  await robot.sees(/▌.*First/);
  robot.press('g');
  await robot.sees(/▌\? decision +\S+ Second/);
  robot.press('c');
  await robot.sees('What should change? changes_approved');
  robot.type('Greet in German.');
  await decideBy(robot, 'Enter', 'Changes requested: changes_approved');
  expect(payloads(await readLog(daemon, second), 'approval.resolved')).toMatchObject([{ comment: 'Greet in German.' }]);

  // A run that has ended is not aborted, and one that is open is not cleaned up.
  const { worktreeRoot } = await daemon.call('run.get', { runId: first });
  writeFileSync(join(worktreeRoot, 'late.txt'), 'late\n');
  robot.press('1');
  await robot.sees('state ');
  robot.press('*');
  await robot.sees('3 marked');
  robot.press('X');
  await robot.sees('Abort 2 runs? You cannot undo this.');
  robot.press('n');
  await robot.loses('Abort 2 runs?');
  expect(await stateOf(second)).not.toBe('aborted');
  robot.press('X');
  await robot.sees('Abort 2 runs? You cannot undo this.');
  robot.press('y');
  await robot.sees('2 aborted, 0 refused');
  for (const runId of [second, third]) await proveEnd(daemon, runId, 'aborted');
  robot.press('x');
  await robot.loses('2 aborted, 0 refused');
  robot.press('*');
  await robot.sees('3 marked');
  robot.press('C');
  await robot.sees('Remove 2 worktrees of 2 runs');
  await robot.sees('it has uncommitted changes: late.txt');
  robot.press('y');
  await robot.sees('Removed 2 worktrees of 2 runs');
  const places = await Promise.all(runs.map((runId) => daemon.call('run.get', { runId })));
  expect(places.map((run) => existsSync(run.worktreeRoot))).toEqual([true, false, false]);
  robot.press('x', 'q');
});

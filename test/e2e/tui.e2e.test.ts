import { expect, test } from 'vitest';
import { startDaemon } from '../helpers/daemon.ts';
import { readLog } from '../helpers/drive.ts';
import { seatRobotInTmux } from '../helpers/robot.ts';
import { deskFor } from './dashboard.ts';
import { proveEnd } from './support.ts';

test('takes a run from the form to its report: approve, request changes, approve', async () => {
  const daemon = await startDaemon();
  const repo = daemon.repo();
  const desk = deskFor(daemon);
  const { robot } = await seatRobotInTmux(desk, 'person', { columns: 120, rows: 36, config: desk.config });
  robot.openPopup('F');
  await robot.sees('No runs yet. Press n to start one.');

  robot.press('n');
  await robot.sees('What should change.');
  robot.type('Greet the world by name.');
  robot.press('Enter');
  await robot.loses('What should change.');
  robot.press('g', 'Enter');
  await robot.sees('A directory in a git repository');
  robot.press('C-u');
  robot.type(repo.dir);
  await robot.sees(repo.dir);
  robot.press('Enter');
  await robot.loses('A directory in a git repository');
  robot.press('j', 'j', 'Enter');
  robot.type('development@1');
  await robot.sees('development@1');
  robot.press('Enter');
  for (const role of ['planner', 'implementer']) {
    robot.press('G', 'k', 'k', 'k');
    if (role === 'planner') robot.press('k');
    robot.press('Enter');
    await robot.sees(`Persona for ${role}`);
    robot.type('any on fake');
    robot.press('Enter');
    await robot.loses(`Persona for ${role}`);
  }
  await robot.sees('✓ Ctrl-S starts the run');
  robot.press('C-s');
  await robot.sees(/Started run [0-9a-f]{8}/);
  const [run] = await daemon.call('run.list', {});
  const runId = run?.runId ?? '';

  await robot.sees('d decide');
  robot.press('d');
  await robot.sees('Accept the result of "');
  await robot.sees('a approve');
  robot.press('a');
  await robot.sees('Approved: spec_approved');

  // The second phase is done again, with a comment.
  await robot.sees('waiting for a decision at plan_approved');
  await robot.sees('d decide');
  robot.press('d');
  await robot.sees('attempt 1?');
  robot.press('c');
  await robot.sees('What should change?');
  robot.type('Name the files, 世界 included.');
  robot.press('Enter');
  await robot.sees('Changes requested: plan_approved');
  await robot.until('attempt 2 waits', async () => {
    const pending = await daemon.call('approval.list', { state: 'pending' });
    return pending.some(({ attempt, phaseKey }) => phaseKey === 'plan' && attempt === 2);
  });
  const comments = (await readLog(daemon, runId)).flatMap(({ payload }) => payload.comment ?? []);
  expect(comments).toEqual(['Name the files, 世界 included.']);

  // Then it is approved, and the last as well.
  for (const gate of ['plan_approved', 'changes_approved']) {
    await robot.sees(`waiting for a decision at ${gate}`);
    await robot.sees('d decide');
    robot.press('d');
    await robot.sees('a approve');
    robot.press('a');
    await robot.sees(`Approved: ${gate}`);
  }
  await robot.sees('completed');
  await proveEnd(daemon, runId, 'completed');

  // The report: what was done, in the dashboard.
  robot.press('BTab');
  await robot.sees('[Report]');
  await robot.sees('Completed: 1 commit on devflow');
  await robot.sees('▏ Greet the world by name.');
  robot.press('q');
  await robot.loses('devflow');
  expect(robot.screen()[0]).toBe('$');
});

import { expect, test } from 'vitest';
import { readJournal } from '../fixtures/scripted/journal.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { daemonWithPanes } from '../helpers/paneDaemon.ts';
import { seatRobot } from '../helpers/robot.ts';
import { decideBy, deskFor } from './dashboard.ts';
import { proveEnd, scenario } from './support.ts';

test('m on a row of Runs answers an agent whose turn has ended, in its own conversation', async () => {
  const { daemon, env, configDir } = await daemonWithPanes();
  await daemon.start(env);
  const runId = await startRun(daemon, {
    repo: daemon.repo().dir,
    template: 'quick-change@1',
    backend: { implementer: 'codex' },
    requirements: scenario('prose'),
  });
  const desk = deskFor(daemon);
  const robot = seatRobot(desk, 'person', { command: `exec ${desk.devflow} tui`, columns: 100, rows: 30 });
  await robot.sees(runId.slice(0, 8));
  await robot.until('a turn has ended', async () => {
    const gates = await daemon.call('approval.list', { runId });
    return gates.some(({ gateKey, state }) => gateKey === 'turn_ended' && state === 'pending');
  });
  await robot.sees(/▌! needs you/);
  robot.press('m');
  await robot.sees(`Message to the agent of run ${runId.slice(0, 8)}`);
  await robot.sees('Which database should I use, PostgreSQL or SQLite?');
  robot.type('Use PostgreSQL.');
  await decideBy(robot, 'Enter', 'Changes requested: turn_ended');

  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  const [asked, told, ...more] = (await readJournal(configDir)).filter(({ uuids }) => uuids.length > 0);
  expect(more).toEqual([]);
  expect(told?.text).toContain('A person answered you:\nUse PostgreSQL.');
  expect(told).toMatchObject({ sessionId: asked?.sessionId, pid: asked?.pid });
  robot.press('q');
});

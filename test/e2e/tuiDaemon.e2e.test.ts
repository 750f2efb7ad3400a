import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFrameDecoder, encodeFrame } from '../../schemas/rpc/framing.ts';
import { makeDaemon, startDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { type Robot, seatRobot, seatRobotInTmux } from '../helpers/robot.ts';
import { deskFor } from './dashboard.ts';
import { proveEnd } from './support.ts';

/** Number and type of the events that the robot sees, in their order. */
function eventsSeen(robot: Robot): string[] {
  return robot.screen().flatMap((row) => {
    const [, seq, type] = /^▌? *(\d+) +\d\d:\d\d:\d\d +(?:[a-z]+ +)?([a-z_]+\.[a-z_]+) /.exec(row) ?? [];
    return type === undefined ? [] : [`${seq} ${type}`];
  });
}

test('shows a banner while the daemon is killed or stopped, and loses or doubles no event', async () => {
  const daemon = await startDaemon();
  const runId = await startRun(daemon, { repo: daemon.repo().dir });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  const desk = deskFor(daemon);
  const command = `exec ${desk.devflow} tui --screen run --about ${runId}`;
  const robot = seatRobot(desk, 'person', { columns: 200, rows: 60, command });
  await robot.sees('[Overview]');
  robot.press('Tab');
  await robot.sees('approval.requested');

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    await daemon.kill(signal);
    await robot.sees('Lost the daemon');
    expect(eventsSeen(robot)).not.toEqual([]);
    // The dashboard stays usable without the daemon.
    robot.press('Tab');
    await robot.sees('[Artifacts');
    robot.press('BTab');
    await robot.sees('[Events');
    await daemon.start();
    await robot.loses('Lost the daemon');
    let gates = 0;
    await drive(daemon, runId, {
      stopAt: ({ type }) => type === 'approval.requested' && gates++ > 1,
      decide: (_, nth) => (nth < 3 ? { action: 'approve' } : undefined),
    });
  }
  await drive(daemon, runId);
  const { events } = await proveEnd(daemon, runId, 'completed');
  const { stdout } = await daemon.cli(['run', 'events', runId, '--json']);
  const lines = stdout.trimEnd().split('\n');
  const told = lines.map((each): { seq: number; type: string } => JSON.parse(each));
  expect(told.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq));
  await robot.sees('run.completed');
  await robot.until('the whole log is seen', () => eventsSeen(robot).length >= told.length);
  expect(eventsSeen(robot)).toEqual(told.map(({ seq, type }) => `${seq} ${type}`));
});

test('the popup offers to start the daemon, and s starts it', async () => {
  const daemon = await makeDaemon();
  const desk = deskFor(daemon);
  const { robot } = await seatRobotInTmux(desk, 'person', { config: desk.config });
  onTestFinished(async () => void (await daemon.cli(['down'])));
  robot.openPopup('F');
  await robot.sees('s start the daemon');
  robot.press('x', '2', ':');
  robot.press('s');
  await robot.sees('No runs yet.');
  expect((await daemon.cli(['status', '--json'])).code).toBe(0);
});

test('names both versions and what to do when the daemon has another version', async () => {
  const daemon = await makeDaemon();
  const server = createServer((socket) => {
    const decoder = createFrameDecoder();
    socket.on('error', () => {});
    socket.on('data', (chunk) =>
      decoder.push(chunk as Buffer, (frame) => {
        const { id, method } = JSON.parse(frame);
        const status = { daemon: { pid: 1, version: '99.1.2', socket: daemon.socketPath, startedAt: '' } };
        const result = method === 'daemon.status' ? status : { subscriptionId: 's', runId: null, afterSeq: null };
        socket.write(encodeFrame({ jsonrpc: '2.0', id, result }));
      }),
    );
  });
  mkdirSync(dirname(daemon.socketPath), { recursive: true, mode: 0o700 });
  await new Promise<void>((resolve) => server.listen(daemon.socketPath, resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const desk = deskFor(daemon);
  const robot = seatRobot(desk, 'person', { command: `${desk.devflow} tui; echo "exit $?"; exec sh` });
  await robot.sees('has version 99.1.2');
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  expect(robot.screen().join(' ')).toContain(version);
  expect(robot.screen().join(' ')).toContain('U restart the daemon');
  robot.press('q');
  await robot.sees('exit 0');
});

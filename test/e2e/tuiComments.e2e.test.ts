import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Sending } from '../../schemas/comments/draft.ts';
import { startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, readLog } from '../helpers/drive.ts';
import { type Robot, seatRobot } from '../helpers/robot.ts';
import { untilGateOf } from './commentRuns.ts';
import { type Desk, deskFor } from './dashboard.ts';
import { FILE, startReviewed } from './reviewRuns.ts';
import { payloads, proveEnd } from './support.ts';

const SIZE = { columns: 120, rows: 40 };

async function givenGate(): Promise<{ daemon: TestDaemon; desk: Desk; runId: string; gate: string }> {
  const daemon = await startDaemon();
  const { runId } = await startReviewed(daemon, []);
  const gate = await untilGateOf(daemon, runId, 'changes_approved');
  return { daemon, desk: deskFor(daemon), runId, gate };
}

/** Opens the gate that waits, from any screen. */
async function openGate(robot: Robot): Promise<void> {
  robot.press('2');
  await robot.sees(/Enter open .*f decided/);
  robot.press('Enter');
  await robot.sees('Tab next section');
}

/** A dashboard at the changes of the gate that waits. */
async function openChanges(desk: Desk, name: string): Promise<Robot> {
  const robot = seatRobot(desk, name, { ...SIZE, command: `exec ${desk.devflow} tui` });
  await robot.sees('1 run');
  await openGate(robot);
  while (!robot.screen().some((each) => each.includes('[Changes'))) {
    const before = robot.screen().join('\n');
    robot.press('Tab');
    await robot.until('another section is shown', () => robot.screen().join('\n') !== before);
  }
  return robot;
}

const cursorRow = (robot: Robot) => robot.screen().find((each) => each.startsWith('❯')) ?? '';

/** Moves the cursor to the next row that has the text. */
async function goTo(robot: Robot, text: string): Promise<void> {
  while (!cursorRow(robot).includes(text)) {
    const before = cursorRow(robot);
    robot.press('j');
    await robot.until('the cursor moved', () => cursorRow(robot) !== before);
  }
}

async function comment(robot: Robot, text: string): Promise<void> {
  robot.press('c');
  await robot.sees('Comment on');
  robot.type(text);
  robot.press('Enter');
  await robot.sees(`┃ ${text}`);
}

/** Ends the dashboard and all that it started, as a lost machine would. */
function kill(robot: Robot): void {
  const first = robot.ask('#{pane_pid}');
  const children = (pid: string): string[] => {
    const found = execFileSync('ps', ['-o', 'pid=', '--ppid', pid, '--no-headers'], { encoding: 'utf8' });
    return found.split('\n').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
  };
  const all = [first];
  for (const pid of all) {
    try {
      all.push(...children(pid));
    } catch {
      // It has no children.
    }
  }
  for (const pid of all.toReversed()) process.kill(Number(pid), 'SIGKILL');
}

const reviewsOf = ({ env }: TestDaemon) => join(env.DEVFLOW_HOME ?? '', 'state', 'reviews');

function draftFiles(daemon: TestDaemon): string[] {
  const files = readdirSync(reviewsOf(daemon), { recursive: true, encoding: 'utf8' });
  return files.filter((each) => each.endsWith('.json'));
}

const decisions = async (daemon: TestDaemon, runId: string) =>
  payloads(await readLog(daemon, runId), 'approval.resolved').filter(({ comments }) => comments !== undefined);

test('a range, a question and a file are commented; dashboard and daemon are killed; one decision has them all', async () => {
  const { daemon, desk, runId, gate } = await givenGate();
  const robot = await openChanges(desk, 'first');
  await goTo(robot, FILE);
  await comment(robot, 'Split this file');
  await goTo(robot, '❯+# implement');
  robot.press('v', 'j', 'j');
  await comment(robot, 'Name these lines');
  // First the row of the comment, then the next line.
  robot.press('j', 'j');
  await comment(robot, '? Why so');
  await robot.sees('3 comments');
  kill(robot);
  await daemon.kill('SIGKILL');
  await daemon.restart();

  const again = await openChanges(desk, 'second');
  await again.sees('3 comments');
  for (const text of ['┃ Split this file', '┃ Name these lines', '┃ ? Why so']) await again.sees(text);
  again.press('S');
  await again.sees('Request changes with 3 comments?');
  again.press('y');
  await again.loses('Request changes with 3 comments?');
  await again.until('the decision is recorded', async () => (await decisions(daemon, runId)).length === 1);
  expect(await decisions(daemon, runId)).toMatchObject([
    {
      approvalRequestId: gate,
      action: 'request_changes',
      shown: expect.stringMatching(/^[0-9a-f]{64}$/),
      comments: [
        { id: 'c1', path: FILE, line: null, kind: 'change', text: 'Split this file' },
        { id: 'c2', path: FILE, line: expect.any(Number), endLine: expect.any(Number), text: 'Name these lines' },
        { id: 'c3', path: FILE, kind: 'question', text: 'Why so' },
      ],
    },
  ]);
  await again.until('the drafts are gone', () => draftFiles(daemon).length === 0);

  // The next gate opens on the answers.
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  await openGate(again);
  await again.sees('[Answers 3]');
  await again.sees('Answered (3)');
  again.press('a');
  await again.sees('Approved: changes_approved');
  await drive(daemon, runId, { decide: () => ({ action: 'approve' }) });
  await proveEnd(daemon, runId, 'completed');
});

/** A dashboard that was killed after it noted its decision, and a daemon that was killed before it answered. */
async function killedWhileSending(daemon: TestDaemon, desk: Desk) {
  const robot = await openChanges(desk, 'first');
  await goTo(robot, FILE);
  await comment(robot, 'Split this file');
  robot.press('S');
  await robot.sees('Request changes with 1 comment?');
  process.kill(daemon.pid(), 'SIGSTOP');
  robot.press('y');
  const noted = () => draftFiles(daemon).find((each) => each.endsWith('sending.json'));
  await robot.until('the try is noted', () => noted() !== undefined);
  kill(robot);
  await daemon.kill('SIGKILL');
  await daemon.restart();
  return JSON.parse(readFileSync(join(reviewsOf(daemon), noted() ?? ''), 'utf8')) as Sending;
}

test('killed before the daemon got a decision: the next start says so, and sends it once', async () => {
  const { daemon, desk, runId } = await givenGate();
  const { clientToken } = await killedWhileSending(daemon, desk);
  const robot = await openChanges(desk, 'second');
  await robot.sees('1 comment may not have reached the daemon. S sends them again.');
  robot.press('S');
  await robot.sees('Sending it again records it only once.');
  robot.press('y');
  await robot.until('the decision is recorded', async () => (await decisions(daemon, runId)).length === 1);
  expect(await decisions(daemon, runId)).toMatchObject([{ clientToken, comments: [{ text: 'Split this file' }] }]);
  await robot.until('the drafts are gone', () => draftFiles(daemon).length === 0);
  await drive(daemon, runId, { decide: () => ({ action: 'approve' }) });
});

test('killed after the daemon got a decision: the next start finds it, and its comments are drafts no more', async () => {
  const { daemon, desk, runId, gate } = await givenGate();
  const { clientToken, comments } = await killedWhileSending(daemon, desk);
  await daemon.ask('approval.decide', {
    ...({ approvalId: gate, action: 'request_changes', clientToken } as const),
    comments: [...comments],
  });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  const robot = await openChanges(desk, 'second');
  await robot.until('the drafts are gone', () => draftFiles(daemon).length === 0);
  await robot.loses('the gate before');
  expect(await decisions(daemon, runId)).toHaveLength(1);
  await drive(daemon, runId, { decide: () => ({ action: 'approve' }) });
});

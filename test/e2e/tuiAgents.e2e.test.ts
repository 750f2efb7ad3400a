import { expect, test } from 'vitest';
import { drive, startRun } from '../helpers/drive.ts';
import { makePanes, ROLES } from '../helpers/paneDaemon.ts';
import { seatRobotInTmux } from '../helpers/robot.ts';
import { deskFor } from './dashboard.ts';
import { proveEnd } from './support.ts';

async function givenRunAtGate() {
  const panes = await makePanes('busy-ms=50');
  const { daemon } = panes;
  await daemon.start();
  const runId = await startRun(daemon, { repo: daemon.repo().dir, backend: ROLES });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  return { ...panes, runId };
}

test("reads and searches a transcript, enters the agent's pane from the popup, and leaves it", async () => {
  const { daemon, tmux } = await givenRunAtGate();
  const desk = deskFor(daemon);
  const { robot } = await seatRobotInTmux(desk, 'person', { columns: 120, rows: 36, config: desk.config });
  robot.openPopup('F');
  await robot.sees('decision');
  robot.press('3');
  await robot.sees(/planner +claude +[0-9a-f]{8}/);
  robot.press('Enter');
  await robot.sees('── transcript');
  await robot.sees('DEVFLOW_PROMPT_BEGIN');
  robot.press('g');
  await robot.sees('Welcome to scripted-agent');
  robot.press('/');
  robot.type('PROMPT_BEGIN');
  robot.press('Enter');
  await robot.sees('DEVFLOW_PROMPT_BEGIN');

  // Enter the pane, type, and leave it.
  const { tmux: pane } = await daemon.call('session.attachTarget', {});
  const about = (format: string) => tmux('display-message', '-p', '-t', pane.paneId, format);
  const shown = () => tmux('list-clients', '-F', '#{client_control_mode} #{client_session}').split('\n');
  const seen = `0 ${about('#{session_name}')}`;
  robot.press('A');
  await robot.until('the pane is shown', () => shown().includes(seen));
  await robot.loses('── transcript');
  robot.type('typed by a person');
  await robot.until('the agent has it', () =>
    tmux('capture-pane', '-p', '-t', pane.paneId).includes('typed by a person'),
  );
  // 90% of 120x36, without the frame and the status line.
  expect(about('#{window_width}x#{window_height}')).toBe('106x29');
  robot.press('C-b', 'd');
  await robot.sees('── transcript');
  expect(shown()).not.toContain(seen);
  robot.press('G');
  await robot.sees('typed by a person');
  robot.press('q');
  await robot.loses('── transcript');
  await daemon.call('run.abort', { runId: (await daemon.call('run.list', {}))[0]?.runId ?? '' });
});

test('aborts only after its second key', async () => {
  const { daemon, runId } = await givenRunAtGate();
  const desk = deskFor(daemon);
  const { robot } = await seatRobotInTmux(desk, 'person', { config: desk.config });
  robot.openPopup('F');
  await robot.sees('decision');
  for (const refusal of ['Escape', 'X', 'Enter']) {
    robot.press('X');
    await robot.sees('Why abort run');
    robot.type('wrong way');
    robot.press('Enter');
    await robot.sees('You cannot undo this.');
    robot.press(refusal);
    await robot.loses('You cannot undo this.');
  }
  expect((await daemon.call('run.get', { runId })).state).toBe('awaiting_approval');
  robot.press('X');
  await robot.sees('Why abort run');
  robot.type('wrong way');
  robot.press('Enter');
  await robot.sees('You cannot undo this.');
  robot.press('y');
  await robot.sees(`Run ${runId.slice(0, 8)} is aborted.`);
  const { run } = await proveEnd(daemon, runId, 'aborted');
  expect(run.reason).toContain('wrong way');
  await robot.sees('aborted');
});

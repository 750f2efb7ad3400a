import { expect, test } from 'vitest';
import { startDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { seatRobot } from '../helpers/robot.ts';
import { deskFor } from './dashboard.ts';

/** A bracketed paste. */
const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;

test('a paste at a gate decides nothing; a paste into a comment is kept whole', async () => {
  const daemon = await startDaemon();
  const runId = await startRun(daemon, { repo: daemon.repo().dir });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  const [gate] = await daemon.call('approval.list', { state: 'pending' });
  const desk = deskFor(daemon);
  const { devflow } = desk;
  const robot = seatRobot(desk, 'person', { command: `exec ${devflow} tui --screen approval --about ${gate?.id}` });
  await robot.sees('a approve');
  robot.type(pasted('a\ra Xy q'));
  await robot.sees('Paste ignored');
  expect(await daemon.call('approval.get', { approvalId: gate?.id ?? '' })).toMatchObject({ state: 'pending' });
  robot.press('c');
  await robot.sees('What should change?');
  robot.type(pasted('first\ra second 👍'));
  await robot.sees('│ a second 👍');
  await robot.sees('│ first');
  // One key for one character, also for what comes in two halves.
  robot.press('BSpace');
  robot.type('世👩x');
  await robot.sees('│ a second 世👩x');
  robot.press('BSpace', 'BSpace', 'Enter');
  await robot.sees('Changes requested');
  const { decisions } = await daemon.call('approval.get', { approvalId: gate?.id ?? '' });
  expect(decisions).toMatchObject([{ action: 'request_changes', comment: 'first\na second 世' }]);
});

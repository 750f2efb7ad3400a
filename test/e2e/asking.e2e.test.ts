import { expect, it } from 'vitest';
import { startDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { seatRobot } from '../helpers/robot.ts';
import { deskFor } from './dashboard.ts';

it('asks before it ends a run, asks for the words of a change, and opens a screen by a prefix', async () => {
  const daemon = await startDaemon();
  const runId = await startRun(daemon, { repo: daemon.repo().dir });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  const [gate] = await daemon.call('approval.list', { all: false, limit: 0 });
  const id = gate?.id ?? '';
  const [run, approval] = [runId.slice(0, 8), id.slice(0, 8)];
  const stateOf = async () => (await daemon.call('run.get', { runId })).state;

  // A change needs a comment, in the CLI and over the socket.
  for (const words of [[], ['--comment', ''], ['--comment', ' \n\t']]) {
    const { code, stderr } = await daemon.cli(['approval', 'request-changes', approval, ...words]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('needs a comment') });
  }
  const params = {
    approvalId: id,
    action: 'request_changes',
    clientToken: crypto.randomUUID(),
    comment: '  ',
  } as const;
  await expect(daemon.call('approval.decide', params)).rejects.toMatchObject({ code: 'usage' });

  const desk = deskFor(daemon);
  const robot = seatRobot(desk, 'person', { columns: 100 });
  const types = (words: string) => robot.type(`clear; ${desk.devflow} ${words}; echo "exit $?"\n`);
  types(`approval reject ${approval}`);
  await robot.sees(`Reject spec_approved of run ${run}? [y/N]`);
  await robot.sees('The run ends as failed.');
  robot.press('Enter');
  await robot.sees('exit 1');
  types(`approval abort ${approval}`);
  await robot.sees(`Abort the run ${run}? [y/N]`);
  robot.press('C-c');
  await robot.sees('exit 1');
  types(`run abort ${run}`);
  await robot.sees(`Abort the run ${run}? Its state is decision. [y/N]`);
  robot.press('C-d');
  await robot.sees('exit 1');
  expect(await stateOf()).toBe('awaiting_approval');

  types('tui --screen run --about zzzz');
  await robot.sees('[not_found]');
  await robot.sees('exit 4');
  expect(robot.ask('#{alternate_on}')).toBe('0');
  types(`tui --screen approval --about ${id.slice(0, 5)}`);
  await robot.sees('spec_approved');
  await robot.until('the dashboard is open', () => robot.ask('#{alternate_on}') === '1');
  robot.press('q');
  await robot.sees('exit 0');

  types(`run abort ${run}`);
  await robot.sees('[y/N]');
  robot.type('y\n');
  await robot.sees('is aborted. Its agents are ended.');
  // A gate that is decided is refused without a question.
  types(`approval reject ${approval}`);
  await robot.sees('exit 5');

  // Without a terminal nobody is asked.
  const second = await startRun(daemon, { repo: daemon.repo().dir });
  await drive(daemon, second, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  expect(await daemon.cli(['run', 'abort', second.slice(0, 8)])).toMatchObject({ code: 0, stderr: '' });

  // A single word is checked as a shell command line.
  expect(await daemon.cli(['policy', 'check', 'rm -rf /'])).toMatchObject({ code: 1 });
  expect(await daemon.cli(['policy', 'check', 'npm test'])).toMatchObject({ code: 0 });
});

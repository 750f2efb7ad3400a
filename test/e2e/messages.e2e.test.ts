import { expect, test } from 'vitest';
import { drive, startRun } from '../helpers/drive.ts';
import { makePanes } from '../helpers/paneDaemon.ts';
import { until } from '../helpers/until.ts';
import { arrived, runAtFirstGate, untilMessage, write } from './messageRuns.ts';
import { payloads, proveEnd, proveLog, scenario } from './support.ts';

test('messages reach an agent at a gate in order, and the gate stays', async () => {
  const panes = await makePanes('busy-ms=150');
  const { daemon } = panes;
  await daemon.start();
  const runId = await runAtFirstGate(panes);
  const said = await daemon.cli(['message', runId, 'Use', 'tabs.']);
  expect([said.code, said.stderr]).toEqual([0, '']);
  const second = await write(daemon, `${runId}/planner`, 'And\nno semicolons.');
  await untilMessage(daemon, second, 'sent');
  const texts = (await arrived(panes, 'DEVFLOW_PROMPT_BEGIN')).map(({ text }) => text ?? '');
  expect(texts.slice(1).map((text) => text.split('\n').slice(1, -1).join('\n'))).toEqual([
    'Use tabs.',
    'And\nno semicolons.',
  ]);
  expect(await daemon.call('run.get', { runId })).toMatchObject({ state: 'awaiting_approval' });
  const listed = await daemon.cli(['message', 'list', '--run', runId]);
  expect(listed.stdout).toContain('Use tabs.');
  const log = await proveLog(daemon, runId);
  const proof = expect.stringMatching(/^(hook|conversation)$/);
  expect(payloads(log, 'message.sent')).toMatchObject([{ proof }, { proof }]);
  await drive(daemon, runId);
  const { events } = await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'session.crashed')).toEqual([]);
});

test('a message to a busy agent waits for the end of its turn, and can be taken back', async () => {
  const panes = await makePanes('busy-ms=1500,scenario=no-artifact');
  const { daemon } = panes;
  await daemon.start();
  const backend = { implementer: 'codex' } as const;
  const runId = await startRun(daemon, { repo: daemon.repo().dir, template: 'quick-change@1', backend });
  await until('it has its prompt', async () => (await arrived(panes, 'Make it better.')).length > 0);
  const back = await write(daemon, runId, 'Forget this.');
  const stays = await write(daemon, runId, 'Look at the tests.');
  expect([back, stays]).toMatchObject([
    { state: 'queued', position: 1 },
    { state: 'queued', position: 2, waitsFor: 'an earlier message' },
  ]);
  expect((await daemon.cli(['message', 'take-back', back.messageId])).code).toBe(0);
  await untilMessage(daemon, stays, 'sent');
  expect(await arrived(panes, 'Forget this.')).toEqual([]);
  const [got, ...more] = await arrived(panes, 'Look at the tests.');
  expect(more).toEqual([]);
  expect(got).toMatchObject({ whileBusy: false, merged: false });
  // The turn of the message ended without the file as well.
  await until('its turn ends again', async () => {
    const gates = await daemon.call('approval.list', { runId, all: true });
    return gates.filter(({ gateKey }) => gateKey === 'turn_ended').length === 2;
  });
  const refused = await daemon.cli(['message', 'take-back', stays.messageId]);
  expect(refused.stderr).toContain('The agent has the message already');
  await daemon.call('run.abort', { runId });
  await proveEnd(daemon, runId, 'aborted');
});

test('a message waits while its run is paused, and reaches an agent that was restarted', async () => {
  const panes = await makePanes('busy-ms=150');
  const { daemon, tmux } = panes;
  await daemon.start();
  const runId = await runAtFirstGate(panes);
  await daemon.call('run.pause', { runId });
  const message = await write(daemon, runId, 'Use tabs.');
  expect(message.waitsFor).toBe('the run to be resumed');
  const { tmux: pane } = await daemon.call('session.attachTarget', { target: `${runId}/planner` });
  tmux('kill-pane', '-t', pane.paneId);
  await until('its end is recorded', async () => {
    const { sessions } = await daemon.call('run.get', { runId });
    return sessions.some(({ state }) => state === 'CRASHED');
  });
  await daemon.call('run.resume', { runId });
  await untilMessage(daemon, message, 'sent');
  expect(await arrived(panes, 'Use tabs.')).toHaveLength(1);
  expect(await daemon.call('run.get', { runId })).toMatchObject({ state: 'awaiting_approval' });
  await daemon.call('run.abort', { runId });
  await proveEnd(daemon, runId, 'aborted');
});

test('a message to several agents reaches each of them once', async () => {
  const panes = await makePanes('busy-ms=150');
  const { daemon } = panes;
  await daemon.start();
  const runId = await runAtFirstGate(panes, scenario('ok'));
  const sent = await daemon.cli(['message', '--run', runId, '--json', 'Hello, all.']);
  const messages = JSON.parse(sent.stdout) as { messageId: string; runId: string }[];
  expect(messages).toHaveLength(1);
  for (const each of messages) await untilMessage(daemon, each, 'sent');
  const again = await daemon.cli(['message', runId]);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('there is no text')]);
  await daemon.call('run.abort', { runId });
  const late = await daemon.cli(['message', runId, 'Too late.']);
  expect(late.code).not.toBe(0);
});

import { expect, test } from 'vitest';
import type { CrashPoint } from '../../../daemon/system/faults.ts';
import { drive } from '../../helpers/drive.ts';
import { makePanes } from '../../helpers/paneDaemon.ts';
import { arrived, runAtFirstGate, untilMessage, write } from '../messageRuns.ts';
import { payloads, proveEnd } from '../support.ts';
import { killAtPoints } from './killing.ts';

const POINTS: CrashPoint[] = ['sendMessage.before_delivery', 'sendMessage.after_delivery'];

test('a message arrives once, wherever the daemon dies while it delivers it', async () => {
  const panes = await makePanes('busy-ms=150');
  const { daemon } = panes;
  await daemon.start();
  const runId = await runAtFirstGate(panes);
  const killing = await killAtPoints(daemon, POINTS);
  const messages = [];
  for (const text of ['First message.', 'Second message.', 'Third message.'])
    messages.push(await write(daemon, `${runId}/planner`, text));
  for (const message of messages) await untilMessage(daemon, message, 'sent');
  expect(await killing.stop()).toEqual({ deaths: 2 * messages.length, unvisited: [] });
  for (const text of ['First message.', 'Second message.', 'Third message.'])
    expect(await arrived(panes, text), text).toMatchObject([{ merged: false, whileBusy: false }]);
  await drive(daemon, runId);
  const { events } = await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'message.sent').map(({ messageId }) => messageId)).toEqual(
    messages.map(({ messageId }) => messageId),
  );
  expect(payloads(events, 'message.doubted')).toEqual([]);
});

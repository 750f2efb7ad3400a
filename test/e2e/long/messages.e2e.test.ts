import { expect, test } from 'vitest';
import { pasteable } from '../../../tmux/panes/buffers.ts';
import { readJournal } from '../../fixtures/scripted/journal.ts';
import { type Shape, torturePrompts } from '../../fixtures/scripted/torture.ts';
import { drive } from '../../helpers/drive.ts';
import { makePanes } from '../../helpers/paneDaemon.ts';
import { runAtFirstGate, untilMessage, write } from '../messageRuns.ts';
import { payloads, proveEnd } from '../support.ts';

const MESSAGES = Number(process.env.DEVFLOW_TEST_MESSAGES ?? 50);
/** Every so many messages the daemon, and then the agent, is killed. */
const EVERY = 7;
/** A huge one takes seconds, and prompts have their own tests. */
const SHAPES: Shape[] = ['one-line', 'many-lines', 'awkward', 'markers'];
const HANGS_MS = 1_800_000;

/** The text between the first and the last line. */
const body = (text: string) => text.split('\n').slice(1, -1).join('\n');

test('messages of every shape arrive once, in order and whole, though daemon and agent are killed', {
  timeout: HANGS_MS,
}, async () => {
  const panes = await makePanes('busy-ms=20');
  const { daemon, tmux } = panes;
  await daemon.start();
  const runId = await runAtFirstGate(panes);
  const target = `${runId}/planner`;
  const shapes = torturePrompts('messages', SHAPES);
  const texts = Array.from({ length: MESSAGES }, () => shapes.next().value.text);
  let last = await write(daemon, target, texts[0] ?? '');
  for (const [nth, text] of texts.entries()) {
    if (nth > 0) last = await write(daemon, target, text);
    if (nth % EVERY === 3) {
      await daemon.kill('SIGKILL');
      await daemon.start();
    }
    if (nth % EVERY === 5) {
      const { tmux: pane } = await daemon.ask('session.attachTarget', { target });
      tmux('kill-pane', '-t', pane.paneId);
      // Each has its own budget of recoveries, which a turn that ends renews.
      await untilMessage(daemon, last, 'sent');
    }
  }
  await untilMessage(daemon, last, 'sent');
  const got = (await readJournal(panes.configDir)).filter(({ uuids }) => uuids.length > 0).slice(1);
  expect(got.filter(({ merged, whileBusy }) => merged || whileBusy)).toEqual([]);
  expect(got.map(({ text = '' }) => body(text))).toEqual(texts.map((text) => pasteable(text)));
  await drive(daemon, runId);
  const { events } = await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'message.sent')).toHaveLength(MESSAGES);
  expect(payloads(events, 'message.doubted')).toEqual([]);
});

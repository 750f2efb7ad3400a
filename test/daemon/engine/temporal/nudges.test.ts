import { expect, test, vi } from 'vitest';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { createNudges } from '../../../../daemon/engine/temporal/nudges.ts';
import { bound, given } from '../../core/support/given.ts';

const { run } = given({}, bound);
const at = (lastSeq: number, over: Partial<Run> = {}): Run => ({ ...run, lastSeq, ...over });
const silent = { debug() {}, warn() {} };

/** Keeps every message until it is answered. */
function givenSender() {
  const sent: { seq: number; mayStart: boolean; answer(error?: Error): void }[] = [];
  const nudges = createNudges({
    log: silent,
    send: (told, mayStart) =>
      new Promise((resolve, reject) => {
        sent.push({ seq: told.lastSeq, mayStart, answer: (error) => (error ? reject(error) : resolve()) });
      }),
  });
  return { nudges, sent, seqs: () => sent.map(({ seq }) => seq) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('tells one state of a run at a time, and then only the newest', async () => {
  const { nudges, sent, seqs } = givenSender();
  for (const seq of [5, 6, 8, 7]) nudges.nudge(at(seq));
  expect(seqs()).toEqual([5]);
  sent[0]?.answer();
  await turn();
  expect(seqs()).toEqual([5, 8]);
  sent[1]?.answer();
  await turn();
  expect(seqs()).toEqual([5, 8]);
});

test('starts no workflow for a run that has ended and has its report', () => {
  const { nudges, sent } = givenSender();
  nudges.nudge(at(5));
  nudges.nudge(at(9, { id: 'without a report', state: 'completed' }));
  nudges.nudge(at(9, { id: 'with a report', state: 'completed', reportPath: '/r.json' }));
  expect(sent.map(({ mayStart }) => mayStart)).toEqual([true, true, false]);
});

test('repeats what could not be told, unless something newer is to be told, and gives up when it stops', async () => {
  vi.useFakeTimers();
  try {
    const { nudges, sent, seqs } = givenSender();
    nudges.nudge(at(5));
    sent[0]?.answer(new Error('no server'));
    await vi.advanceTimersByTimeAsync(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seqs()).toEqual([5, 5]);
    nudges.nudge(at(6));
    sent[1]?.answer(new Error('no server'));
    await vi.advanceTimersByTimeAsync(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seqs()).toEqual([5, 5, 6]);
    sent[2]?.answer(new Error('no server'));
    await vi.advanceTimersByTimeAsync(0);
    nudges.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    nudges.nudge(at(7));
    expect(seqs()).toEqual([5, 5, 6]);
  } finally {
    vi.useRealTimers();
  }
});

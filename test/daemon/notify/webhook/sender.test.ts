import { describe, expect, test } from 'vitest';
import type { Delivered } from '../../../../daemon/notify/webhook/deliver.ts';
import { createSender } from '../../../../daemon/notify/webhook/sender.ts';
import type { WaitingNotice } from '../../../../daemon/store/webhookNotices.ts';
import { handTimers } from '../../../helpers/handTimers.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const away = { is: 'failed', reason: 'ECONNREFUSED' } as const;
const taken = { is: 'taken' } as const;

/** An outbox in memory, a receiver that answers as it is told, and a clock that stands still. */
function given(answer: (id: string, nth: number) => Delivered | Promise<Delivered> = () => taken) {
  const timers = handTimers();
  const warned: string[] = [];
  const rows: (WaitingNotice & { end?: 'sent' | 'gaveUp' })[] = [];
  const posted: string[] = [];
  let jump = 0;
  const now = () => new Date(timers.now() + jump);
  const rowOf = (id: string) => rows.find((row) => row.id === id) as (typeof rows)[number];
  const make = () =>
    createSender({
      notices: {
        readOldest: async () => rows.find(({ end }) => end === undefined),
        noteSent: async (id) => void Object.assign(rowOf(id), { end: 'sent' }),
        noteGivenUp: async (id) => void Object.assign(rowOf(id), { end: 'gaveUp' }),
        noteTry: async (id, tries, nextAt) => void Object.assign(rowOf(id), { tries, nextAt }),
      },
      post: async ({ id }) => {
        posted.push(id);
        return answer(id, posted.length);
      },
      now,
      after: (ms, act) => timers.after(ms, act),
      log: { warn: (...words: unknown[]) => void warned.push(String(words.at(-1))) },
    });
  const sender = make();
  return {
    sender,
    make,
    timers,
    warned,
    rows,
    posted,
    ends: () => rows.map(({ end }) => end),
    jumpBy: (ms: number) => {
      jump += ms;
    },
    async add(...ids: string[]) {
      for (const id of ids) rows.push({ id, body: id, at: now(), tries: 0, nextAt: now() });
      sender.poke();
      await timers.advance();
    },
  };
}

describe('the sender', () => {
  test('sends in order, and has no timer once all is sent', async () => {
    const { add, posted, ends, timers } = given();
    await add('a', 'b', 'c');
    expect(posted).toEqual(['a', 'b', 'c']);
    expect(ends()).toEqual(['sent', 'sent', 'sent']);
    expect(timers.pending()).toBe(0);
  });

  test('has one request in flight, and sends what comes meanwhile', async () => {
    let release = (_: Delivered) => {};
    const first = new Promise<Delivered>((resolve) => {
      release = resolve;
    });
    const { add, posted, timers } = given((id) => (id === 'a' ? first : taken));
    await add('a');
    await add('b');
    expect(posted).toEqual(['a']);
    release(taken);
    await timers.advance();
    expect(posted).toEqual(['a', 'b']);
  });

  test('a receiver that is away for an hour gets everything then, in order', async () => {
    let isAway = true;
    const { add, posted, ends, timers, sender, warned } = given(() => (isAway ? away : taken));
    await add('a', 'b');
    expect(sender.problem()).toBe('ECONNREFUSED');
    await timers.advance(60 * MINUTE);
    expect(new Set(posted)).toEqual(new Set(['a']));
    // 1 s, 2 s, … 256 s, then every five minutes.
    expect(posted.length).toBeLessThan(22);
    expect(timers.pending()).toBe(1);
    expect(warned).toHaveLength(1);
    isAway = false;
    await timers.advance(5 * MINUTE);
    expect(posted.slice(-2)).toEqual(['a', 'b']);
    expect(ends()).toEqual(['sent', 'sent']);
    expect(sender.problem()).toBe(null);
    expect(timers.pending()).toBe(0);
  });

  test('new news does not hurry a receiver that is away', async () => {
    const { add, posted, timers } = given(() => away);
    await add('a');
    await timers.advance(10 * MINUTE);
    const before = posted.length;
    await add('b', 'c');
    expect(posted).toHaveLength(before);
  });

  test('gives up what is refused three times, and what is older than a day, and goes on', async () => {
    const refusal = { is: 'refused', reason: 'HTTP 400' } as const;
    const one = given((id) => (id === 'a' ? refusal : taken));
    await one.add('a', 'b');
    await one.timers.advance(MINUTE);
    expect(one.posted).toEqual(['a', 'a', 'a', 'b']);
    expect(one.ends()).toEqual(['gaveUp', 'sent']);
    const two = given(() => away);
    await two.add('a');
    await two.timers.advance(DAY + 5 * MINUTE);
    expect(two.ends()).toEqual(['gaveUp']);
    expect(two.timers.pending()).toBe(0);
  });

  test('what waited for more than a day before its first try is not sent', async () => {
    const { rows, make, timers, posted, ends } = given();
    rows.push({ id: 'old', body: '', at: new Date(timers.now() - DAY), tries: 0, nextAt: new Date(timers.now()) });
    make().poke();
    await timers.advance();
    expect(posted).toEqual([]);
    expect(ends()).toEqual(['gaveUp']);
  });

  test('a clock that is set back delays nothing by more than five minutes', async () => {
    let isAway = true;
    const { add, jumpBy, timers, ends } = given(() => (isAway ? away : taken));
    await add('a');
    jumpBy(-60 * MINUTE);
    isAway = false;
    await timers.advance(5 * MINUTE);
    expect(ends()).toEqual(['sent']);
  });

  test('the next daemon waits for the time that the last one noted', async () => {
    const { add, sender, make, posted, timers, ends } = given((_id, nth) => (nth < 4 ? away : taken));
    await add('a');
    await timers.advance(3000);
    expect(posted).toHaveLength(3);
    await sender.close();
    expect(timers.pending()).toBe(0);
    make().poke();
    await timers.advance(3999);
    expect(posted).toHaveLength(3);
    await timers.advance(1);
    expect(ends()).toEqual(['sent']);
  });

  test('notes nothing about a request that the end of the daemon cut off', async () => {
    let release = (_: Delivered) => {};
    const { add, sender, rows, timers } = given(
      () =>
        new Promise<Delivered>((resolve) => {
          release = resolve;
        }),
    );
    await add('a');
    const closed = sender.close();
    release(taken);
    await closed;
    expect(rows).toMatchObject([{ tries: 0 }]);
    expect(rows[0]).not.toHaveProperty('end');
    sender.poke();
    await timers.advance(DAY);
    expect(timers.pending()).toBe(0);
  });
});

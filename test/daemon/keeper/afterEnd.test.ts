import { describe, expect, it } from 'vitest';
import { afterEnd, type Ending, MOST_CRASHES, type Next } from '../../../daemon/keeper/afterEnd.ts';
import { KEPT_EXIT } from '../../../schemas/keeper/keptExit.ts';
import type { KeeperRecord } from '../../../schemas/keeper/record.ts';

const FRESH: KeeperRecord = { pid: 7, by: 'up', state: 'keeping', failures: 0, crashes: 0, startedAt: 100 };
const KILLED = { code: 137, wasReady: true };
const DATABASE = { code: KEPT_EXIT.database, wasReady: false };

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString();

/** Ends so many daemons, each some seconds after its start. */
function ends(endings: readonly Ending[], { livedSeconds = 1, before = FRESH } = {}): Next[] {
  let record = before;
  return endings.map((ending) => {
    const bootSeconds = record.startedAt + livedSeconds;
    const next = afterEnd(record, ending, { bootSeconds, now: isoOf(bootSeconds) });
    record = { ...next.record, startedAt: bootSeconds + (next.delayMs ?? 0) / 1000 };
    return next;
  });
}

const times = (count: number, ending: Ending) => Array.from({ length: count }, () => ending);

describe('after the end of a daemon', () => {
  it('waits for the database without end, at most 30 s a time, and says since when', () => {
    const all = ends(times(200, DATABASE));
    expect(all.slice(0, 8).map(({ delayMs }) => delayMs)).toEqual([
      500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ]);
    expect(all.at(-1)).toMatchObject({
      delayMs: 30_000,
      record: { state: 'waiting', reason: 'database', since: isoOf(101) },
    });
  });

  it('restarts a daemon that crashed, and gives up after so many crashes soon after the start', () => {
    const all = ends(times(MOST_CRASHES, KILLED));
    expect(all.map(({ record }) => record.state)).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'gave up']);
    expect(all.at(-1)).toMatchObject({ record: { reason: 'crash', crashes: MOST_CRASHES }, delayMs: undefined });
  });

  it('does not count crashes of daemons that had lasted', () => {
    const all = ends(times(50, KILLED), { livedSeconds: 60 });
    expect(new Set(all.map(({ record, delayMs }) => `${record.state} ${record.crashes} ${delayMs}`))).toEqual(
      new Set(['waiting 1 500']),
    );
    expect(all.at(-1)?.record.since).not.toBe(all[0]?.record.since);
  });

  it('waits longer for a daemon that was never ready, however long its start took, and gives up on its crashes', () => {
    const slow = { livedSeconds: 60 };
    const away = ends(times(8, DATABASE), slow);
    expect(away.map(({ delayMs }) => delayMs)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(new Set(away.map(({ record }) => record.since))).toEqual(new Set([isoOf(160)]));
    const crashing = ends(times(MOST_CRASHES, { code: 2, wasReady: false }), slow);
    expect(crashing.at(-1)).toMatchObject({ record: { state: 'gave up', reason: 'crash' } });
  });

  it('does not count the waits for a database among crashes as crashes', () => {
    const mixed = [KILLED, DATABASE, DATABASE, DATABASE, DATABASE, DATABASE, KILLED, KILLED, KILLED];
    expect(ends(mixed).at(-1)).toMatchObject({ record: { state: 'waiting', crashes: 4 } });
  });

  it('says since when no daemon has served: the last that was ready ends the time before it', () => {
    const [first, second, third] = ends([DATABASE, { ...DATABASE, wasReady: true }, DATABASE]);
    expect(second?.record.since).not.toBe(first?.record.since);
    expect(third?.record.since).toBe(second?.record.since);
  });

  it('waits three minutes for a database that another daemon leads, because a lost connection may hold its lock', () => {
    const held = times(30, { code: KEPT_EXIT.otherDaemon, wasReady: false });
    const over = ends(held).findIndex(({ record }) => record.state === 'gave up');
    expect(over).toBeGreaterThan(7);
    expect(over).toBeLessThan(14);
    const passing = ends([...held.slice(0, 8), DATABASE, ...held.slice(0, 4)]);
    expect(passing.at(-1)?.record.state).toBe('waiting');
  });

  it('gives up at once what only a person can fix', () => {
    expect(ends([{ code: KEPT_EXIT.person, wasReady: false }])).toMatchObject([
      { record: { state: 'gave up', reason: 'person', since: isoOf(101) }, delayMs: undefined },
    ]);
  });

  it('restarts an adopted daemon, whose exit code nobody knows', () => {
    expect(ends([{ code: Number.NaN, wasReady: true }])).toMatchObject([
      { record: { state: 'waiting', reason: 'crash' }, delayMs: 500 },
    ]);
  });
});

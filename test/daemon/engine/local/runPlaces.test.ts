import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { createRunPlaces, needsOf, type RunPlaces } from '../../../../daemon/engine/local/runPlaces.ts';
import { createBus } from '../../../../daemon/events/bus.ts';
import { bound, firstPhaseDone, given, sent, stalls, started } from '../../core/support/given.ts';
import { givenPlaces } from './support/places.ts';

const created = given({}).run;
const working = given({}, bound, started, sent).run;
const atGate = given({}, ...firstPhaseDone).run;
const aborted = { ...created, state: 'aborted' as const };

/** Runs by name, the later letter created later. What happens to each is said with `is`. */
function given4(limit: number, places: RunPlaces = givenPlaces(limit)) {
  const granted: string[] = [];
  const ports = new Map<string, ReturnType<RunPlaces['forRun']>>();
  return {
    places,
    granted,
    is(name: string, { ...state }: Run, more: Partial<Run> = {}): boolean {
      const run = { ...state, id: name, createdAt: `2026-01-01T00:00:00.${name.charCodeAt(0) + 100}Z`, ...more };
      const port = ports.get(name) ?? places.forRun(name, () => granted.push(name));
      ports.set(name, port);
      return port.request(run, decide(run));
    },
    release: (name: string) => ports.get(name)?.release(),
    waiting: () => places.queue().map(({ runId }) => runId),
  };
}

it('lets runs begin up to the limit, first come, first served', () => {
  const { is, granted, waiting, places } = given4(2);
  expect(['a', 'b', 'c', 'd'].map((name) => is(name, created))).toEqual([true, true, false, false]);
  expect(waiting()).toEqual(['c', 'd']);
  expect(places.counts()).toEqual({ atWork: 2, queued: 2, limit: 2 });
  expect(places.queue().map(({ place }) => place)).toEqual([
    { position: 1, of: 2 },
    { position: 2, of: 2 },
  ]);
  is('b', atGate);
  expect(granted).toEqual(['c']);
  expect(is('c', created)).toBe(true);
});

it('gives the place of a run that ends, waits for a person, or stops to the next', () => {
  const { is, release, granted } = given4(1);
  for (const name of ['a', 'b', 'c', 'd', 'e']) is(name, created);
  is('a', aborted);
  is('b', given({}, bound, started, sent, stalls('planner', 'quota')).run);
  release('c');
  release('d');
  expect(granted).toEqual(['b', 'c', 'd', 'e']);
});

it('lets a run that has begun go on above the limit, and then nobody begins', () => {
  const { is, granted, places } = given4(1);
  is('a', atGate);
  is('b', created);
  expect(is('a', working)).toBe(true);
  expect(places.counts()).toEqual({ atWork: 2, queued: 0, limit: 1 });
  is('c', created);
  is('b', atGate);
  expect(granted).toEqual([]);
  is('a', atGate);
  expect(granted).toEqual(['c']);
});

it('counts all that is known before the first one begins, as after a restart with a lower limit', () => {
  const { is, places, waiting, granted } = given4(2);
  const runs = ['a', 'b', 'c', 'd'].map((id) => ({ ...(id < 'd' ? working : created), id }));
  places.grantAfter(runs, () => {
    expect(is('d', created)).toBe(false);
    for (const name of ['a', 'b', 'c']) is(name, working);
  });
  expect([waiting(), granted]).toEqual([['d'], []]);
  is('a', atGate);
  expect(granted).toEqual([]);
  is('b', atGate);
  expect(granted).toEqual(['d']);
});

it('begins in the order of ranks', () => {
  const { is, granted, waiting } = given4(1);
  for (const name of ['a', 'b', 'c']) is(name, created);
  is('c', created, { rank: { nth: 1, rank: '0', isReleased: false } });
  expect(waiting()).toEqual(['c', 'b']);
  is('a', atGate);
  expect(granted).toEqual(['c']);
});

it('keeps a place free rather than begin a run whose predecessor is open, and lets those behind it begin', () => {
  let state: 'open' | 'failed' | 'done' = 'open';
  const listeners: (() => void)[] = [];
  const after = {
    stateOf: (run: Pick<Run, 'after'>) => (run.after === null ? ('done' as const) : state),
    onChange: (listener: () => void) => void listeners.push(listener),
  };
  const { is, granted, places } = given4(2, createRunPlaces({ limit: 2, bus: createBus(), after }));
  is('a', created, { after: 'x' });
  expect(is('b', created)).toBe(true);
  expect(places.queue()).toMatchObject([{ runId: 'a', place: { after: 'x' }, predecessor: 'open' }]);
  state = 'failed';
  expect(needsOf(places.queue())).toEqual(new Map([['a', { needsPerson: true }]]));
  state = 'done';
  for (const listener of listeners) listener();
  expect(granted).toEqual(['a']);
});

it('tells clients when the queue is another one, and only then', () => {
  const bus = createBus();
  let told = 0;
  bus.listen(null, ({ hints }) => {
    told += hints.filter(({ event }) => event === 'queue.changed').length;
  });
  const { is } = given4(1, givenPlaces(1, bus));
  is('a', created);
  is('a', working);
  expect(told).toBe(0);
  is('b', created);
  is('a', working);
  is('b', created);
  expect(told).toBe(1);
  is('a', atGate);
  expect(told).toBe(2);
});

it('never lets a run begin above the limit, and leaves no place free while one could begin', () => {
  const step = fc.tuple(fc.constantFrom(...'abcdefgh'), fc.constantFrom(created, working, atGate, aborted));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (limit, steps) => {
      const { is, places } = given4(limit);
      const begun = new Set<string>();
      for (const [name, state] of steps) {
        // Only a run with a place begins, and none becomes new again.
        if (state === created && begun.has(name)) continue;
        const before = places.counts().atWork;
        if (!begun.has(name) && state !== created && state !== aborted && !is(name, created)) continue;
        if (state !== created) begun.add(name);
        is(name, state);
        const { atWork, queued } = places.counts();
        if (state === created) expect(atWork).toBeLessThanOrEqual(Math.max(limit, before));
        if (queued > 0) expect(atWork).toBeGreaterThanOrEqual(limit);
      }
    }),
  );
});

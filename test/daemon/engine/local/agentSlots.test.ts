import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AgentNeed, createAgentSlots, slotSentence } from '../../../../daemon/engine/local/agentSlots.ts';
import { createBus } from '../../../../daemon/events/bus.ts';

const due = (...ids: string[]): AgentNeed[] => ids.map((sessionId) => ({ sessionId, isAtWork: false }));
const atWork = (...ids: string[]): AgentNeed[] => ids.map((sessionId) => ({ sessionId, isAtWork: true }));

/** Slots whose runs write down when they are told of a slot. */
function givenSlots(limit: number) {
  const bus = createBus();
  const slots = createAgentSlots(limit, bus);
  const told: string[] = [];
  const run = (runId: string) => {
    const { request } = slots.forRun(runId, () => told.push(runId));
    return (needs: AgentNeed[]) => [...request(needs)];
  };
  return { slots, bus, run, told };
}

test('gives slots up to the limit, and the next one to the agent that waited longest', () => {
  const { run, slots, told } = givenSlots(2);
  const [a, b, c] = [run('a'), run('b'), run('c')];
  expect(a(due('a1', 'a2'))).toEqual(['a1', 'a2']);
  expect(b(due('b1'))).toEqual([]);
  expect(c(due('c1'))).toEqual([]);
  expect(slots.counts()).toEqual({ atWork: 2, waiting: 2, limit: 2 });
  a(due('a2'));
  expect(told).toEqual(['b']);
  expect(slots.listWaiting()).toEqual(['c1']);
  b([]);
  expect(told).toEqual(['b', 'c']);
  expect(slots.counts()).toEqual({ atWork: 2, waiting: 0, limit: 2 });
});

test('keeps a slot from one effect of an agent to the next', () => {
  const { run } = givenSlots(1);
  const [a, b] = [run('a'), run('b')];
  a(due('a1'));
  b(due('b1'));
  expect(a(atWork('a1'))).toEqual(['a1']);
  expect(a(due('a1'))).toEqual(['a1']);
});

test('serves the agents of a run in the order of its needs, which may change', () => {
  const { run, slots } = givenSlots(1);
  const [busy, a, b] = [run('busy'), run('a'), run('b')];
  busy(due('x'));
  a(due('a1', 'a2'));
  b(due('b1'));
  expect(a(due('urgent', 'a2', 'a1'))).toEqual([]);
  busy([]);
  expect(a(due('urgent', 'a2', 'a1'))).toEqual(['urgent']);
  a(due('a2', 'a1'));
  expect(slots.listWaiting('a')).toEqual(['a1']);
  // The third need of the first run came after the need of the second.
  a(due('a1'));
  expect(slots.listWaiting()).toEqual(['a1']);
});

test('an agent at work has a slot above the limit; between two steps it waits, before those who came later', () => {
  const { run, slots } = givenSlots(1);
  const [a, b, c] = [run('a'), run('b'), run('c')];
  a(atWork('a1'));
  expect(b(atWork('b1'))).toEqual(['b1']);
  c(due('c1'));
  expect(slots.counts()).toEqual({ atWork: 2, waiting: 1, limit: 1 });
  expect(b(due('b1'))).toEqual([]);
  a([]);
  expect(b(due('b1'))).toEqual(['b1']);
  expect(slots.listWaiting()).toEqual(['c1']);
});

test('counts the agents at work of all runs before it grants the first slot', () => {
  const { run, slots, told } = givenSlots(1);
  const [first, second] = [run('first'), run('second')];
  slots.grantAfter(() => {
    expect(first(due('waits'))).toEqual([]);
    second(atWork('works'));
  });
  expect(slots.listWaiting()).toEqual(['waits']);
  slots.grantAfter(() => second([]));
  expect(told).toEqual(['first']);
  expect(slots.counts()).toEqual({ atWork: 1, waiting: 0, limit: 1 });
});

test('tells clients when a run waits no longer', () => {
  const { run, bus } = givenSlots(1);
  const hints: unknown[] = [];
  bus.listen(null, (item) => hints.push(...item.hints));
  const [a, b] = [run('a'), run('b')];
  a(due('a1'));
  b(due('b1', 'b2'));
  expect(hints).toEqual([]);
  a([]);
  expect(hints).toEqual([{ event: 'run.progress', data: { runId: 'b', step: 'agents', done: 1, total: 2 } }]);
});

test('says what a run waits for', () => {
  expect(slotSentence({ atWork: 4, waiting: 1, limit: 4 })).toBe('a free agent slot (4 of 4 at work)');
});

test('grants every free slot, keeps to the limit and serves everybody, in any order of requests', () => {
  const need = fc.record({ nth: fc.nat(3), isAtWork: fc.boolean() });
  const request = fc.record({
    runId: fc.constantFrom('a', 'b', 'c'),
    needs: fc.uniqueArray(need, { selector: ({ nth }) => nth }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(request), (limit, requests) => {
      const { run, slots, told } = givenSlots(limit);
      const requestOf = { a: run('a'), b: run('b'), c: run('c') };
      const needsOf: Record<string, AgentNeed[]> = { a: [], b: [], c: [] };
      const holders = () =>
        Object.values(needsOf)
          .flat()
          .map(({ sessionId }) => sessionId)
          .filter((id) => !slots.listWaiting().includes(id));
      const ask = (runId: 'a' | 'b' | 'c', needs: AgentNeed[]) => {
        const [before, toldBefore] = [holders(), told.length];
        needsOf[runId] = needs;
        const given = requestOf[runId](needs);
        const after = holders();
        expect(given.sort()).toEqual(after.filter((id) => id.startsWith(runId)).sort());
        const { waiting, atWork } = slots.counts();
        expect(atWork).toBe(after.length);
        if (waiting > 0) expect(atWork).toBeGreaterThanOrEqual(limit);
        const gained = after.filter((id) => !before.includes(id));
        const granted = gained.filter((id) => !needs.some(({ sessionId, isAtWork }) => sessionId === id && isAtWork));
        if (granted.length > 0) expect(atWork).toBeLessThanOrEqual(limit);
        const others = new Set(granted.map((id) => id.slice(0, 1)).filter((id) => id !== runId));
        expect(told.slice(toldBefore).sort()).toEqual([...others].sort());
      };
      for (const { runId, needs } of requests) {
        ask(
          runId,
          needs.map(({ nth, isAtWork }) => ({ sessionId: `${runId}${nth}`, isAtWork })),
        );
      }
      // Whoever has a slot finishes, until nobody waits.
      for (let waiting = slots.counts().waiting; waiting > 0; waiting = slots.counts().waiting) {
        const [done = ''] = holders();
        const runId = done.slice(0, 1) as 'a' | 'b' | 'c';
        const left = (needsOf[runId] ?? []).filter(({ sessionId }) => sessionId !== done);
        ask(runId, left);
      }
    }),
  );
});

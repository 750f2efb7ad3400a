import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Commit, createBus } from '../../../daemon/events/bus.ts';
import { createHintQueue } from '../../../daemon/events/hints.ts';
import type { Sink } from '../../../daemon/events/subscription.ts';
import { createSubscriptions } from '../../../daemon/events/subscriptions.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import type { NotificationParams } from '../../../schemas/rpc/notifications.ts';

/** A log, a bus and a beat by hand. `gate` lets a test hold back reads of the log. */
function world({ pageSize = 3 } = {}) {
  const log = new Map<string, RunEvent[]>();
  const bus = createBus();
  const errors: unknown[] = [];
  const watched = new Map<string, () => void>();
  const state = { beat: () => {}, beats: 0, reads: 0, gate: async () => {} };
  const subscriptions = createSubscriptions({
    bus,
    readEvents: async (runId, afterSeq, limit) => {
      state.reads += 1;
      await state.gate();
      return (log.get(runId) ?? []).filter((event) => event.seq > afterSeq).slice(0, limit);
    },
    readLastSeq: async (runId) => log.get(runId)?.length ?? 0,
    onError: (error) => errors.push(error),
    watchContracts(repo, onChange) {
      watched.set(repo, onChange);
      return () => watched.delete(repo);
    },
    now: () => new Date(0),
    every: (_ms, tick) => {
      state.beat = tick;
      state.beats += 1;
      return () => {
        state.beats -= 1;
      };
    },
    pageSize,
  });
  const append = (runId: string, count = 1): Commit => {
    const events = log.get(runId) ?? [];
    log.set(runId, events);
    const added = Array.from({ length: count }, (_, index): RunEvent => {
      const seq = events.length + index + 1;
      const ts = new Date(seq).toISOString();
      return { runId, seq, type: 'run.completed', phaseId: null, payload: {}, idempotencyKey: `k${seq}`, ts };
    });
    events.push(...added);
    return { runId, events: added, changes: { phases: [], approvals: [], sessions: [] } };
  };
  const commit = (runId: string, count?: number) => bus.publish(append(runId, count));
  return { log, bus, errors, state, watched, subscriptions, append, commit };
}

/** A reader that takes messages at once, or only when released. */
function reader({ slow = false } = {}) {
  const received: NotificationParams[] = [];
  let release: (() => void) | undefined;
  let room: Promise<void> | undefined;
  const close = () => {
    room ??= new Promise((resolve) => (release = resolve));
  };
  if (slow) close();
  const sink: Sink = {
    writable: () => room,
    send(params) {
      received.push(params);
      if (slow) close();
    },
  };
  const take = () => {
    room = undefined;
    release?.();
  };
  const speedUp = () => {
    slow = false;
    take();
  };
  const seqs = () => received.flatMap((n) => (n.event === 'run.event_appended' ? [n.data.seq] : []));
  return { sink, received, take, speedUp, seqs };
}

const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index + 1);
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a subscription', () => {
  it('replays from afterSeq in pages, then follows, and begins only when started', async () => {
    const { subscriptions, commit } = world();
    commit('r', 10);
    const { sink, seqs, received } = reader();
    const opened = await subscriptions.open({ runId: 'r', afterSeq: 2 }, sink);
    commit('r', 1);
    await settled();
    expect(received).toEqual([]);
    opened.start();
    await settled();
    commit('r', 2);
    await settled();
    expect(seqs()).toEqual(upTo(2, 13));
  });

  it('sends only new events without afterSeq', async () => {
    const { subscriptions, commit } = world();
    commit('r', 5);
    const { sink, seqs } = reader();
    const opened = await subscriptions.open({ runId: 'r' }, sink);
    expect(opened.afterSeq).toBe(5);
    opened.start();
    commit('r', 2);
    await settled();
    expect(seqs()).toEqual([6, 7]);
  });

  it('starts at the end of a log that is shorter than the reader thinks: what comes next is new', async () => {
    const { subscriptions, commit } = world();
    commit('r', 5);
    const { sink, seqs } = reader();
    const opened = await subscriptions.open({ runId: 'r', afterSeq: 9 }, sink);
    expect(opened.afterSeq).toBe(5);
    opened.start();
    commit('r', 2);
    await settled();
    expect(seqs()).toEqual([6, 7]);
  });

  it.each([
    ['the same event there', 3, new Date(3).toISOString(), 3],
    ['another event there', 3, new Date(4).toISOString(), 0],
    ['no event there', 9, new Date(9).toISOString(), 0],
  ])('starts again if a backup was restored: %s', async (_, afterSeq, afterTs, expected) => {
    const { subscriptions, commit } = world();
    commit('r', 5);
    const { sink, seqs } = reader();
    const opened = await subscriptions.open({ runId: 'r', afterSeq, afterTs }, sink);
    expect(opened.afterSeq).toBe(expected);
    opened.start();
    await settled();
    expect(seqs()).toEqual(upTo(expected, 5));
  });

  it('has neither gap nor double when commits happen while it reads the log', async () => {
    const { subscriptions, commit, state } = world();
    commit('r', 4);
    let during = 3;
    state.gate = async () => {
      if (during-- > 0) commit('r', 2);
    };
    const { sink, seqs } = reader();
    (await subscriptions.open({ runId: 'r', afterSeq: 0 }, sink)).start();
    await settled();
    commit('r');
    await settled();
    expect(seqs()).toEqual(upTo(0, 11));
  });

  it('sends events in order of seq even if commits are published out of order', async () => {
    const { subscriptions, bus, append } = world();
    const { sink, seqs } = reader();
    (await subscriptions.open({ runId: 'r', afterSeq: 0 }, sink)).start();
    await settled();
    const [first, second, third] = [append('r'), append('r'), append('r')];
    for (const commit of [third, first, second]) bus.publish(commit);
    await settled();
    expect(seqs()).toEqual([1, 2, 3]);
  });

  it('reads the log again for a reader that is slower than the run', async () => {
    const { subscriptions, commit, state } = world({ pageSize: 4 });
    const { sink, seqs, take, speedUp } = reader({ slow: true });
    (await subscriptions.open({ runId: 'r', afterSeq: 0 }, sink)).start();
    await settled();
    for (let index = 0; index < 50; index += 1) commit('r');
    take();
    await settled();
    expect(seqs().length).toBeLessThan(3);
    const before = state.reads;
    speedUp();
    await settled();
    expect(seqs()).toEqual(upTo(0, 50));
    expect(state.reads).toBeGreaterThan(before);
  });

  it('does not read the log for a reader that keeps up', async () => {
    const { subscriptions, commit, state } = world();
    const { sink, seqs } = reader();
    (await subscriptions.open({ runId: 'r', afterSeq: 0 }, sink)).start();
    await settled();
    for (let index = 0; index < 20; index += 1) {
      commit('r');
      await settled();
    }
    expect(seqs()).toEqual(upTo(0, 20));
    expect(state.reads).toBe(1);
  });

  it('retries the log at the next heartbeat after a failed read', async () => {
    const { subscriptions, commit, state, errors } = world();
    commit('r', 2);
    state.gate = () => Promise.reject(new Error('database away'));
    const { sink, seqs } = reader();
    (await subscriptions.open({ runId: 'r', afterSeq: 0 }, sink)).start();
    await settled();
    expect(errors).toHaveLength(1);
    state.gate = async () => {};
    state.beat();
    await settled();
    expect(seqs()).toEqual([1, 2]);
  });

  it('sends nothing and is removed once closed', async () => {
    const { subscriptions, commit, state } = world();
    const { sink, received } = reader();
    const opened = await subscriptions.open({ runId: 'r', afterSeq: 0 }, sink);
    opened.start();
    opened.close();
    commit('r', 3);
    await settled();
    expect(received).toEqual([]);
    expect([subscriptions.count(), state.beats]).toEqual([0, 0]);
  });
});

describe('a subscription with a repository', () => {
  it('tells of changes to its contract files, and watches it until it is closed', async () => {
    const { subscriptions, watched } = world();
    const { sink, received } = reader();
    const opened = await subscriptions.open({ runId: null, kinds: ['contracts.changed'], repo: '/r' }, sink);
    opened.start();
    for (let count = 0; count < 3; count += 1) watched.get('/r')?.();
    await settled();
    expect(received).toEqual([{ subscriptionId: opened.id, event: 'contracts.changed', data: { repo: '/r' } }]);
    opened.close();
    expect(watched.size).toBe(0);
  });

  it('includes these changes unless it names its kinds', async () => {
    const { subscriptions, watched } = world();
    await subscriptions.open({ runId: null, repo: '/r' }, reader().sink);
    await subscriptions.open({ runId: null, repo: '/q', kinds: ['heartbeat'] }, reader().sink);
    expect([...watched.keys()]).toEqual(['/r']);
    subscriptions.close();
    expect(watched.size).toBe(0);
  });

  it('is refused for the changes of no repository', async () => {
    const { subscriptions } = world();
    const opening = subscriptions.open({ runId: null, kinds: ['contracts.changed'] }, reader().sink);
    await expect(opening).rejects.toMatchObject({ code: 'usage' });
    expect(subscriptions.count()).toBe(0);
  });
});

describe('hints', () => {
  const changes: Commit['changes'] = {
    run: { state: 'executing', currentPhase: 'plan' },
    phases: [{ phaseId: 'p', key: 'plan', state: 'running', attempts: 1 }],
    approvals: [
      { approvalId: 'a', gateKey: 'g', phaseKey: 'plan', state: 'pending', created: true, action: null },
      { approvalId: 'b', gateKey: 'h', phaseKey: 'spec', state: 'approved', created: false, action: 'approve' },
    ],
    sessions: [{ sessionId: 's', roleId: 'planner', state: 'BUSY' }],
  };

  it("go unfiltered to a run's subscription, and only as state changes to a global one", async () => {
    const { subscriptions, bus } = world();
    const [run, all] = [reader(), reader()];
    (await subscriptions.open({ runId: 'r', afterSeq: 0 }, run.sink)).start();
    (await subscriptions.open({ runId: null }, all.sink)).start();
    bus.publish({ runId: 'r', events: [], changes });
    bus.publish({ runId: 'other', events: [], changes: { ...changes, phases: [], approvals: [], sessions: [] } });
    await settled();
    expect(run.received.map((n) => n.event)).toEqual([
      'run.state_changed',
      'phase.state_changed',
      'approval.created',
      'approval.resolved',
      'session.state_changed',
    ]);
    expect(all.received.map((n) => n.event)).toEqual([
      'run.state_changed',
      'approval.created',
      'approval.resolved',
      'run.state_changed',
    ]);
  });

  it('can be filtered, except events without a run', async () => {
    const { subscriptions, bus } = world();
    const { sink, received } = reader();
    (await subscriptions.open({ runId: null, kinds: ['session.state_changed'] }, sink)).start();
    bus.publish({ runId: 'r', events: [], changes });
    await settled();
    expect(received.map((n) => n.event)).toEqual(['session.state_changed']);
    const refused = expect.objectContaining({ code: 'usage' });
    await expect(subscriptions.open({ runId: null, afterSeq: 1 }, sink)).rejects.toEqual(refused);
    await expect(subscriptions.open({ runId: null, kinds: ['run.event_appended'] }, sink)).rejects.toEqual(refused);
  });

  it('replace earlier ones about the same thing; the oldest beyond the limit are counted', () => {
    const queue = createHintQueue(2);
    const chunk = (sessionId: string, seq: number) =>
      ({ event: 'transcript.chunk_appended', data: { runId: 'r', sessionId, seq } }) as const;
    for (const hint of [chunk('a', 1), chunk('b', 1), chunk('a', 2), chunk('c', 1)]) queue.add(hint);
    expect([queue.take(), queue.take(), queue.take()]).toEqual([chunk('a', 2), chunk('c', 1), undefined]);
    expect([queue.takeLost(), queue.takeLost()]).toEqual([1, 0]);
  });

  it("heartbeats name the reader's position", async () => {
    const { subscriptions, commit, state } = world();
    commit('r', 2);
    const { sink, received } = reader();
    (await subscriptions.open({ runId: 'r', afterSeq: 0 }, sink)).start();
    await settled();
    state.beat();
    await settled();
    const data = { at: '1970-01-01T00:00:00.000Z', lastSeq: 2, lost: 0 };
    expect(received.at(-1)).toEqual({ subscriptionId: 'sub-1', event: 'heartbeat', data });
  });
});

describe('under any interleaving', () => {
  it('every subscriber sees afterSeq+1..n in order', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('commit' as const),
        run: fc.constantFrom('r', 's'),
        count: fc.integer({ min: 1, max: 4 }),
      }),
      fc.record({
        do: fc.constant('subscribe' as const),
        run: fc.constantFrom('r', 's'),
        slow: fc.boolean(),
        back: fc.nat(6),
      }),
      fc.record({ do: fc.constant('publishLate' as const), run: fc.constantFrom('r', 's') }),
      fc.record({ do: fc.constant('take' as const), who: fc.nat(20) }),
      fc.record({ do: fc.constant('yield' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        async (s, steps, pageSize) => {
          const { subscriptions, bus, append, commit, log, state } = world({ pageSize });
          state.gate = () => s.schedule(Promise.resolve());
          const readers: (ReturnType<typeof reader> & { run: string; from: number })[] = [];
          const late: Commit[] = [];
          for (const action of steps) {
            if (action.do === 'commit') commit(action.run, action.count);
            if (action.do === 'publishLate') late.push(append(action.run, 1));
            if (action.do === 'take') readers[action.who % Math.max(1, readers.length)]?.take();
            if (action.do === 'yield') {
              if (s.count() > 0) await s.waitOne();
              const commitNow = late.pop();
              if (commitNow) bus.publish(commitNow);
            }
            if (action.do === 'subscribe') {
              const from = Math.max(0, (log.get(action.run)?.length ?? 0) - action.back);
              const made = { ...reader({ slow: action.slow }), run: action.run, from };
              readers.push(made);
              (await subscriptions.open({ runId: action.run, afterSeq: from }, made.sink)).start();
            }
          }
          for (const commitNow of late) bus.publish(commitNow);
          for (const each of readers) each.speedUp();
          state.gate = async () => {};
          await s.waitIdle();
          await settled();
          for (const { seqs, run, from } of readers) expect(seqs()).toEqual(upTo(from, log.get(run)?.length ?? 0));
          subscriptions.close();
        },
      ),
      { numRuns: 300 },
    );
  });
});

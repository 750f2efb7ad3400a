import { expect } from 'vitest';
import { decide } from '../../../../../daemon/core/decide.ts';
import type { Effect } from '../../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../../daemon/core/effect/outcome.ts';
import { replay } from '../../../../../daemon/core/replay.ts';
import type { Run } from '../../../../../daemon/core/run/state.ts';
import { createActor, type RunActor } from '../../../../../daemon/engine/local/actor.ts';
import { beginsWork } from '../../../../../daemon/engine/local/agentNeeds.ts';
import { type AgentSlots, createAgentSlots } from '../../../../../daemon/engine/local/agentSlots.ts';
import { createBus } from '../../../../../daemon/events/bus.ts';
import { systemClock } from '../../../../../daemon/system/clock.ts';
import { noFaults } from '../../../../../daemon/system/faults.ts';
import { DevflowError } from '../../../../../schemas/errors.ts';
import type { RunEvent } from '../../../../../schemas/events/index.ts';
import { newRun, type Shape } from '../../../core/support/run.ts';
import { quiet, silent } from './performing.ts';

interface Begun {
  effect: Effect;
  signal: AbortSignal;
  settle(outcome?: Outcome): void;
}

/** Runs that share agent slots, on logs in memory. Checks after each step that slots are given out right. */
export interface RunsWithSlots {
  runs(): Run[];
  actorOf(runId: string): RunActor;
  slots(): AgentSlots;
  /** The effects in flight, oldest first. */
  inFlight(): readonly Begun[];
  settle(begun: Begun, outcome?: Outcome): Promise<void>;
  /** Lets the next write of this run fail. */
  failNextWrite(runId: string): void;
  /** Ends the daemon, in order or as by SIGKILL, and starts another with this limit. */
  restart(how: 'stop' | 'kill', limit: number): Promise<void>;
  /** Waits until nothing moves, then checks. */
  settled(): Promise<void>;
}

export async function givenRuns(shapes: readonly Shape[], firstLimit: number): Promise<RunsWithSlots> {
  const logs = new Map(shapes.map((shape) => newRun(shape)).map(({ run, events }) => [run.id, [...events]] as const));
  const failing = new Set<string>();
  const suspended = new Set<RunActor>();
  let actors = new Map<string, RunActor>();
  let begun: Begun[] = [];
  let slots = createAgentSlots(firstLimit, createBus());

  function startActor(runId: string): RunActor {
    const log = logs.get(runId) as RunEvent[];
    const mine = slots;
    const actor = createActor(replay(log) as Run, {
      clock: systemClock,
      faults: noFaults,
      log: silent,
      agentSlots: mine,
      perform: (effect, signal) =>
        new Promise((resolve) => {
          if (beginsWork(effect)) expect(mine.counts().atWork).toBeLessThanOrEqual(mine.counts().limit);
          const entry: Begun = {
            effect,
            signal,
            settle(outcome) {
              begun = begun.filter((each) => each !== entry);
              resolve(outcome);
            },
          };
          begun.push(entry);
        }),
      observe: async () => ({ commits: [], lostArtifacts: [] }),
      runLog: {
        readEvents: async (_id, afterSeq) => log.filter(({ seq }) => seq > afterSeq),
        async append(_before, _after, added) {
          if (failing.delete(runId)) throw new DevflowError('disk_full', 'The database has no space left.');
          log.push(...added);
        },
      },
      onCommitted() {},
      onFinished() {},
      onSuspended: () => {
        if (mine === slots) startActor(runId).advance();
      },
    });
    void actor.suspended.then(() => suspended.add(actor));
    actors.set(runId, actor);
    return actor;
  }

  function startAll(): void {
    for (const runId of logs.keys()) startActor(runId);
    slots.grantAfter(() => {
      for (const actor of actors.values()) actor.advance();
    });
  }

  async function settled(): Promise<void> {
    await quiet();
    check();
  }

  function check(): void {
    const { atWork, waiting, limit } = slots.counts();
    if (waiting > 0) expect(atWork).toBeGreaterThanOrEqual(limit);
    const waits = new Set(slots.listWaiting());
    for (const actor of actors.values()) {
      if (suspended.has(actor)) continue;
      for (const effect of decide(actor.run()).filter(beginsWork)) {
        const { sessionId } = effect.session;
        const isInFlight = begun.some(
          (each) => 'session' in each.effect && each.effect.session.sessionId === sessionId,
        );
        expect([effect.key, isInFlight || waits.has(sessionId)]).toEqual([effect.key, true]);
      }
    }
  }

  startAll();
  await settled();
  return {
    runs: () => [...actors.values()].map((actor) => actor.run()),
    actorOf: (runId) => actors.get(runId) as RunActor,
    slots: () => slots,
    inFlight: () => begun,
    settled,
    async settle(each, outcome) {
      each.settle(outcome);
      await settled();
    },
    failNextWrite: (runId) => failing.add(runId),
    async restart(how, limit) {
      const [old, before] = [[...actors.values()], slots];
      slots = createAgentSlots(limit, createBus());
      if (how === 'stop') {
        const stopped = Promise.all(old.map((actor) => actor.stop()));
        for (const each of begun) each.settle();
        await stopped;
        await quiet();
        expect(before.counts()).toMatchObject({ atWork: 0, waiting: 0 });
      }
      begun = [];
      actors = new Map();
      startAll();
      await settled();
    },
  };
}

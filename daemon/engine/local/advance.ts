import type { Logger } from 'pino';
import { DevflowError } from '../../../schemas/errors.ts';
import { decide } from '../../core/decide.ts';
import type { Effect } from '../../core/effect/effect.ts';
import type { Outcome } from '../../core/effect/outcome.ts';
import type { Run } from '../../core/run/state.ts';
import { agentNeeds, beginsWork } from './agentNeeds.ts';
import type { RunSlots } from './agentSlots.ts';
import type { Perform } from './perform.ts';
import type { PlaceOfRun } from './runPlaces.ts';

export interface Advance {
  /**
   * Makes the running effects equal to what `decide` wants: starts the new ones, aborts the others. Returns the keys of those
   * that are due.
   */
  to(run: Run): ReadonlySet<string>;
  /** True while the performer of this effect has not returned. */
  isRunning(key: string): boolean;
  /** Resolves when the prompt delivery to this session has reported its outcome; undefined if none is in flight. */
  delivery(sessionId: string): Promise<void> | undefined;
  /**
   * Starts no effect that `which` picks until it is released, and aborts those that run. `done` resolves when their outcomes
   * are reported. The caller advances after the release.
   */
  hold(which: (effect: Effect) => boolean): { done: Promise<void>; release(): void };
  /** True while a performer has not returned. */
  busy(): boolean;
  /** Aborts all effects. Resolves when every performer has returned. */
  stop(): Promise<void>;
}

export interface AdvanceOptions {
  perform: Perform;
  slots: RunSlots;
  /** Absent: the run may begin at any time. */
  place?: PlaceOfRun;
  log: Pick<Logger, 'debug'>;
  onOutcome(outcome: Outcome | undefined): void;
  /** True if an effect that is due may start now; absent: always. */
  mayStart?(key: string): boolean;
}

/**
 * Runs the effects that `decide` wants. Their keys keep a running effect from starting twice; an aborted one starts
 * again only after its performer has returned. An effect that returned without an event waits until the run changes:
 * the same state would give the same result. An effect that needs an agent slot and has none is left out until `to` is
 * called again, and so is the beginning of a run that has no place.
 */
export function createAdvance(options: AdvanceOptions): Advance {
  const { perform, slots, place, log, onOutcome, mayStart = () => true } = options;
  const inFlight = new Map<string, { effect: Effect; stop: AbortController; done: Promise<void> }>();
  const finished = new Set<string>();
  const held = new Set<(effect: Effect) => boolean>();
  const isHeld = (effect: Effect) => [...held].some((which) => which(effect));
  let lastSeq = -1;
  let stopped = false;
  const running = () => [...inFlight.values()].map(({ effect }) => effect);

  function start(effect: Effect): void {
    const stop = new AbortController();
    log.debug({ runId: effect.runId, effect: effect.type, key: effect.key }, 'effect started');
    const done = perform(effect, stop.signal).then((outcome) => {
      inFlight.delete(effect.key);
      if (stopped) return;
      if (!stop.signal.aborted) finished.add(effect.key);
      onOutcome(outcome);
    });
    inFlight.set(effect.key, { effect, stop, done });
  }

  return {
    delivery(sessionId) {
      const isDelivery = ({ effect }: { effect: Effect }) =>
        effect.type === 'sendPrompt' && effect.session.sessionId === sessionId;
      return [...inFlight.values()].find(isDelivery)?.done;
    },
    isRunning: (key) => inFlight.has(key),
    hold(which) {
      held.add(which);
      const running = [...inFlight.values()].filter(({ effect }) => which(effect));
      for (const { stop } of running) stop.abort();
      const done = Promise.all(running.map((each) => each.done)).then(() => {});
      return { done, release: () => held.delete(which) };
    },
    busy: () => inFlight.size > 0,
    to(run) {
      if (stopped) return new Set();
      if (run.lastSeq !== lastSeq) finished.clear();
      lastSeq = run.lastSeq;
      const effects = decide(run);
      const mayBegin = place?.request(run, effects) ?? true;
      const wanted = new Map(effects.map((effect) => [effect.key, effect]));
      for (const [key, { stop }] of inFlight) {
        if (!wanted.has(key)) stop.abort();
      }
      const due = [...wanted.values()].filter(({ key }) => !finished.has(key));
      const mayWork = slots.request(agentNeeds(run, due, running()));
      for (const effect of due) {
        if (
          inFlight.has(effect.key) ||
          isHeld(effect) ||
          (effect.type === 'lockBindings' && !mayBegin) ||
          (beginsWork(effect) && !mayWork.has(effect.session.sessionId))
        )
          continue;
        if (mayStart(effect.key)) start(effect);
      }
      return new Set(due.map(({ key }) => key));
    },
    async stop() {
      stopped = true;
      const reason = new DevflowError('shutting_down', 'The daemon is stopping.');
      for (const { stop } of inFlight.values()) stop.abort(reason);
      await Promise.all([...inFlight.values()].map(({ done }) => done));
      slots.request([]);
      place?.release();
    },
  };
}

/** The `Advance` of a run on another host: starts nothing here, and says what was recorded here. */
export function createPassingAdvance(initial: Run, onMoved: (run: Run) => void = () => {}): Advance {
  let { lastSeq } = initial;
  return {
    to(run) {
      if (run.lastSeq !== lastSeq) onMoved(run);
      lastSeq = run.lastSeq;
      return new Set();
    },
    isRunning: () => false,
    delivery: () => undefined,
    hold: () => ({ done: Promise.resolve(), release: () => {} }),
    busy: () => false,
    async stop() {},
  };
}

import type { Logger } from 'pino';
import { DevflowError } from '../../../schemas/errors.ts';
import { decide } from '../core/decide.ts';
import type { Effect, Outcome } from '../core/effect.ts';
import type { Run } from '../core/run/state.ts';
import type { Perform } from './perform.ts';

export interface Advance {
  /** Makes what is in flight equal to what `decide` wants: starts what is new, lets go what is no longer wanted. */
  to(run: Run): void;
  /** Resolves when the prompt delivery to this session has reported its outcome; undefined if none is in flight. */
  delivery(sessionId: string): Promise<void> | undefined;
  /** True while a performer has not returned. */
  busy(): boolean;
  /** Lets go of everything; resolves when every performer has returned. */
  stop(): Promise<void>;
}

/**
 * The heart of the interpreter. In flight is keyed by the effect's key, so that what is under way is never begun twice,
 * and what was let go begins again only when its performer has really returned. An effect that returned without moving
 * the run is not begun again before the run moves: at the same state it would come to the same.
 */
export function createAdvance(options: {
  perform: Perform;
  log: Pick<Logger, 'debug'>;
  onOutcome(outcome: Outcome | undefined): void;
}): Advance {
  const { perform, log, onOutcome } = options;
  const inFlight = new Map<string, { effect: Effect; stop: AbortController; done: Promise<void> }>();
  const settled = new Set<string>();
  let lastSeq = -1;
  let stopped = false;

  function begin(effect: Effect): void {
    const stop = new AbortController();
    log.debug({ runId: effect.runId, effect: effect.type, key: effect.key }, 'begin');
    const done = perform(effect, stop.signal).then((outcome) => {
      inFlight.delete(effect.key);
      if (stopped) return;
      if (!stop.signal.aborted) settled.add(effect.key);
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
    busy: () => inFlight.size > 0,
    to(run) {
      if (stopped) return;
      if (run.lastSeq !== lastSeq) settled.clear();
      lastSeq = run.lastSeq;
      const wanted = new Map(decide(run).map((effect) => [effect.key, effect]));
      for (const [key, { stop }] of inFlight) {
        if (!wanted.has(key)) stop.abort();
      }
      for (const [key, effect] of wanted) {
        if (!inFlight.has(key) && !settled.has(key)) begin(effect);
      }
    },
    async stop() {
      stopped = true;
      const reason = new DevflowError('shutting_down', 'The daemon is stopping.');
      for (const { stop } of inFlight.values()) stop.abort(reason);
      await Promise.all([...inFlight.values()].map(({ done }) => done));
    },
  };
}

import { DevflowError } from '../../../schemas/errors.ts';
import type { Run } from '../core/run/state.ts';
import { type Advance, type AdvanceOptions, createAdvance } from '../local/advance.ts';

/** An `Advance` that starts an effect only once it is asked for, by an attempt of an activity. */
export interface AskedAdvance extends Advance {
  /**
   * Lets the effect start, or joins it if it runs. Resolves when it has ended and its outcome is recorded, or when it is not
   * due. Rejects when the attempt is let go, and when the daemon stops; the effect itself continues in the first case.
   */
  ask(key: string, letGo: AbortSignal): Promise<void>;
}

export interface AskedAdvanceOptions extends AdvanceOptions {
  /** Called when the run has moved and no attempt that ends now reports that to Temporal. */
  onMoved(run: Run): void;
}

interface Waiting extends PromiseWithResolvers<void> {
  /** The effect was no longer due while it ran, so Temporal cancels the attempt and ignores its answer. */
  isCancelled: boolean;
}

interface Asked {
  /** The attempts that wait for the effect. An attempt that was let go is none of them. */
  waiting: Set<Waiting>;
  /** False once the effect was not due: a new attempt must ask for it again. */
  isCurrent: boolean;
}

export function createAskedAdvance({ onMoved, ...options }: AskedAdvanceOptions): AskedAdvance {
  const asked = new Map<string, Asked>();
  const inner = createAdvance({ ...options, mayStart: (key) => asked.get(key)?.isCurrent === true });
  let due: ReadonlySet<string> = new Set();
  let lastSeq = -1;
  let isStopped = false;

  /** Ends the attempts whose effects are over. Returns true if Temporal hears from at least one of them. */
  function endAttempts(): boolean {
    let isReported = false;
    for (const [key, entry] of asked) {
      if (!due.has(key)) entry.isCurrent = false;
      if (entry.isCurrent) continue;
      if (inner.isRunning(key)) {
        for (const attempt of entry.waiting) attempt.isCancelled = true;
        continue;
      }
      asked.delete(key);
      for (const { resolve, isCancelled } of entry.waiting) {
        isReported ||= !isCancelled;
        resolve();
      }
    }
    return isReported;
  }

  return {
    ...inner,
    busy: () => inner.busy() || due.size > 0,
    to(run) {
      due = inner.to(run);
      const isReported = endAttempts();
      if (run.lastSeq !== lastSeq && !isReported) onMoved(run);
      lastSeq = run.lastSeq;
      return due;
    },
    ask(key, letGo) {
      if (isStopped) return Promise.reject(stopping());
      const entry = asked.get(key) ?? { waiting: new Set(), isCurrent: true };
      entry.isCurrent = true;
      asked.set(key, entry);
      const attempt: Waiting = { ...Promise.withResolvers<void>(), isCancelled: false };
      entry.waiting.add(attempt);
      const leave = () => {
        entry.waiting.delete(attempt);
        attempt.reject(letGo.reason);
      };
      if (letGo.aborted) leave();
      else letGo.addEventListener('abort', leave, { once: true });
      return attempt.promise.finally(() => letGo.removeEventListener('abort', leave));
    },
    async stop() {
      isStopped = true;
      const waiting = [...asked.values()].flatMap((entry) => [...entry.waiting]);
      asked.clear();
      await inner.stop();
      for (const { reject } of waiting) reject(stopping());
    },
  };
}

/** The attempt fails, so that Temporal makes another one: this one came to nothing, but the effect is still wanted. */
function stopping(): DevflowError {
  return new DevflowError('shutting_down', 'The run is suspended, or the daemon is stopping.');
}

import { DevflowError } from '../../../schemas/errors.ts';
import type { Run } from '../../core/run/state.ts';
import { type Advance, type AdvanceOptions, createAdvance } from '../local/advance.ts';

/** An `Advance` that starts an effect only once it is asked for, by an attempt of an activity. */
export interface AskedAdvance extends Advance {
  /**
   * Lets the effect start, or joins it if it runs. Resolves when it has ended and its outcome is recorded. For an
   * effect that is not due it resolves with the run. Rejects when the attempt is let go, and when the daemon stops; the
   * effect itself continues in the first case.
   */
  ask(key: string, letGo: AbortSignal): Promise<Run>;
}

export interface AskedAdvanceOptions extends AdvanceOptions {
  /** Called when the run has moved and no attempt that ends now reports that to Temporal. */
  onMoved(run: Run): void;
}

interface Waiting extends PromiseWithResolvers<Run> {
  /**
   * The effect was no longer due while it ran, or when the attempt came. If Temporal heard of that, it cancels the attempt and
   * ignores its answer.
   */
  isCancelled: boolean;
}

interface Asked {
  /** The attempts that wait for the effect, without those that were let go. */
  waiting: Set<Waiting>;
  /**
   * The last run in which the effect was not due: a new attempt must ask for it again. It is the answer to the earlier ones.
   * With a newer run, in which the effect is due again, Temporal would think that it came to nothing there.
   */
  notDueIn: Run | undefined;
}

export function createAskedAdvance({ onMoved, ...options }: AskedAdvanceOptions): AskedAdvance {
  const asked = new Map<string, Asked>();
  const isCurrent = (key: string) => asked.has(key) && asked.get(key)?.notDueIn === undefined;
  const inner = createAdvance({ ...options, mayStart: isCurrent });
  let due: ReadonlySet<string> = new Set();
  let lastSeq = -1;
  let isStopped = false;

  /** Ends the attempts whose effects are over. Returns true if Temporal hears from at least one of them. */
  function endAttempts(run: Run): boolean {
    let isReported = false;
    for (const [key, entry] of asked) {
      if (!due.has(key)) entry.notDueIn = run;
      if (entry.notDueIn === undefined) continue;
      if (inner.isRunning(key)) {
        for (const attempt of entry.waiting) attempt.isCancelled = true;
        continue;
      }
      asked.delete(key);
      for (const { resolve, isCancelled } of entry.waiting) {
        isReported ||= !isCancelled;
        resolve(entry.notDueIn);
      }
    }
    return isReported;
  }

  return {
    ...inner,
    busy: () => inner.busy() || due.size > 0,
    to(run) {
      due = inner.to(run);
      const isReported = endAttempts(run);
      if (run.lastSeq !== lastSeq && !isReported) onMoved(run);
      lastSeq = run.lastSeq;
      return due;
    },
    ask(key, letGo) {
      if (isStopped) return Promise.reject(stopping());
      const entry = asked.get(key) ?? { waiting: new Set(), notDueIn: undefined };
      entry.notDueIn = undefined;
      asked.set(key, entry);
      const isCancelled = lastSeq >= 0 && !due.has(key);
      const attempt: Waiting = { ...Promise.withResolvers<Run>(), isCancelled };
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

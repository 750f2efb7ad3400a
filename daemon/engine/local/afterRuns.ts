import type { Logger } from 'pino';
import { isTerminal } from '../../../schemas/enums.ts';
import type { Run } from '../../core/run/state.ts';
import type { EventBus } from '../../events/bus.ts';

/** How the run is that another one waits for. `done`: nothing is waited for any more. `gone`: no log has it. */
export type Predecessor = 'open' | 'done' | 'failed' | 'aborted' | 'gone';

/** The runs that others wait for. Each is read once, and then followed. */
export interface AfterRuns {
  /** `done` also for a run that waits for none, or that a person released. */
  stateOf(run: Pick<Run, 'after' | 'rank'>): Predecessor;
  /** Calls the listener when one of these runs has another state. */
  onChange(listener: () => void): void;
  stop(): void;
}

/** These events end a run, or bring its work to a branch of the person. */
const MOVES = ['run.completed', 'run.failed', 'run.aborted', 'run.applied'];

export function createAfterRuns(options: {
  readRun(runId: string): Promise<Run | undefined>;
  bus: Pick<EventBus, 'listen'>;
  log: Pick<Logger, 'warn'>;
}): AfterRuns {
  const { readRun, bus, log } = options;
  const known = new Map<string, Predecessor>();
  const listeners = new Set<() => void>();
  /** One at a time, so that an older state never replaces a newer one. */
  let turn: Promise<void> = Promise.resolve();

  function look(runId: string): void {
    turn = turn.then(() => read(runId));
  }

  async function read(runId: string): Promise<void> {
    try {
      const run = await readRun(runId);
      const state = run ? predecessorOf(run) : 'gone';
      if (known.get(runId) === state) return;
      known.set(runId, state);
      for (const listener of listeners) listener();
    } catch (err) {
      // It counts as open. Its next event, or a restart, reads it again.
      log.warn({ err, runId }, 'the run that another one waits for could not be read');
    }
  }

  const unlisten = bus.listen(null, ({ runId, events }) => {
    if (runId !== null && known.has(runId) && events.some(({ type }) => MOVES.includes(type))) look(runId);
  });

  return {
    stateOf({ after, rank }) {
      if (after === null || rank?.isReleased) return 'done';
      const state = known.get(after);
      if (state !== undefined) return state;
      known.set(after, 'open');
      look(after);
      return 'open';
    },
    onChange: (listener) => void listeners.add(listener),
    stop: unlisten,
  };
}

function predecessorOf({ state, applied }: Run): Predecessor {
  if (state === 'completed' || applied.length > 0) return 'done';
  return isTerminal(state) ? (state as 'failed' | 'aborted') : 'open';
}

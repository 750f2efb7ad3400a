import type { Run } from '../../core/run/state.ts';
import type { Advance } from './advance.ts';

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
    busy: () => false,
    async stop() {},
  };
}

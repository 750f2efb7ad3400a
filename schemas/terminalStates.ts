import type { RunState } from './enums.ts';

/** Apart from the other vocabularies, because these load zod, and the dashboard starts without it. */
export const TERMINAL_RUN_STATES = ['completed', 'failed', 'aborted'] as const satisfies readonly RunState[];

/** True once nothing can move the run any more. */
export function isTerminal(state: RunState): boolean {
  return (TERMINAL_RUN_STATES as readonly RunState[]).includes(state);
}

import type { RunState } from '../enums.ts';
import { ABORT_DETAIL } from './gate.ts';
import { RUN_STATES } from './run.ts';
import { stateOf } from './state.ts';

/** The state of a run after a person paused, resumed or aborted it, and what follows from that. */
export function movedSentence({ runId, state, changed }: { runId: string; state: RunState; changed: boolean }): string {
  const run = `Run ${runId.slice(0, 8)}`;
  const { word } = stateOf(RUN_STATES, state);
  if (!changed && (state === 'paused' || state === 'aborted')) return `${run} was already ${word}.`;
  if (!changed) return `${run} was not paused. Its state is ${word}.`;
  switch (state) {
    case 'paused':
      return `${run} is paused. Nothing new starts, agents finish their turn, and its gates stay open.`;
    case 'aborted':
      return `${run} is aborted. ${ABORT_DETAIL}`;
    case 'awaiting_approval':
      return `${run} continues, and waits for your decision.`;
    default:
      return `${run} continues, and is ${word}.`;
  }
}

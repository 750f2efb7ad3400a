import { isTerminal, type RunState, type SessionState, type ShownSessionState } from '../../schemas/enums.ts';

/** A run that ends takes its agents down, and leaves what is recorded of their sessions as it was. */
export function shownState(run: RunState, session: SessionState): ShownSessionState {
  return isTerminal(run) ? 'ENDED' : session;
}

import type { ProbeClass } from '../repoFacts.ts';
import type { State } from './state.ts';

/** The reason of a command that the policy blocked begins with this. */
export const BLOCKED_BY_POLICY = 'blocked by policy: ';

/** True if the policy blocked a command. */
export function isBlocked({ exitCode, reason }: { exitCode: number | null; reason: string | null }): boolean {
  return exitCode === null && (reason?.startsWith(BLOCKED_BY_POLICY) ?? false);
}

/** The results of a repository's command before any change. */
export const PROBE_STATES: Readonly<Record<ProbeClass, State>> = {
  green: { sign: '✓', word: 'green', look: 'good', means: 'it ends with 0', asks: null },
  red_at_base: { sign: '✗', word: 'red at base', look: 'bad', means: 'it fails before any change', asks: null },
  missing_tool: { sign: '?', word: 'missing tool', look: 'ask', means: 'a program or package is absent', asks: null },
  needs_network: { sign: '~', word: 'needs network', look: 'ask', means: 'it reaches for the network', asks: null },
  timed_out: { sign: '!', word: 'too slow', look: 'bad', means: 'it did not end in time', asks: null },
  refused: { sign: '–', word: 'refused', look: 'bad', means: 'the policy refuses it', asks: null },
  cannot_fail: { sign: '○', word: 'cannot fail', look: 'bad', means: 'it ends with 0 whatever is wrong', asks: null },
  not_run: { sign: '·', word: 'not run', look: 'quiet', means: 'devflow did not try it', asks: null },
};

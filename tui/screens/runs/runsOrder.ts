import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import { isTerminal } from '../../../schemas/terminalStates.ts';
import { memoize } from '../../text/memoize.ts';

/** Runs that wait for a person first, the longest wait first. Then open runs, then ended runs, newest first. */
export const byQuery = memoize((runs: readonly RunSummary[]): readonly RunSummary[] =>
  [...runs].sort((a, b) => rank(a) - rank(b) || (rank(a) === 0 ? 1 : -1) * compare(timeOf(a), timeOf(b))),
);

function rank({ state, waitsForPerson }: RunSummary): number {
  if (waitsForPerson) return 0;
  return isTerminal(state) ? 2 : 1;
}

function timeOf({ createdAt, endedAt }: RunSummary): string {
  return endedAt ?? createdAt;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

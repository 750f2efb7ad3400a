import { isTerminal } from '../../../schemas/names.ts';
import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import { compareText } from '../../../schemas/text/compareText.ts';
import { RUNS } from '../../model/listQueries.ts';
import type { Model } from '../../model/model.ts';
import { answerOf } from '../../model/query.ts';
import { memoize } from '../../text/memoize.ts';

const NONE: readonly RunSummary[] = [];

export function runsById({ data }: Model): ReadonlyMap<string, RunSummary> {
  return byId(answerOf(data, RUNS) ?? NONE);
}

const byId = memoize(
  (runs: readonly RunSummary[]): ReadonlyMap<string, RunSummary> => new Map(runs.map((run) => [run.runId, run])),
);

export function findRun(model: Model, runId: string): RunSummary | undefined {
  return runsById(model).get(runId);
}

/** Runs that wait for a person first, the longest wait first. Then open runs, then ended runs, newest first. */
export const sortRuns = memoize((runs: readonly RunSummary[]): readonly RunSummary[] =>
  [...runs].sort((a, b) => rank(a) - rank(b) || (rank(a) === 0 ? 1 : -1) * compareText(timeOf(a), timeOf(b))),
);

function rank({ state, waitsForPerson }: RunSummary): number {
  if (waitsForPerson) return 0;
  return isTerminal(state) ? 2 : 1;
}

function timeOf({ createdAt, endedAt }: RunSummary): string {
  return endedAt ?? createdAt;
}

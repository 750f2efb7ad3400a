import { isTerminal, type RunState } from '../../../schemas/enums.ts';
import type { Cluster, Drawdown, Verdict } from '../../../schemas/objective/measured.ts';
import type { Evaluation } from '../run/evaluation.ts';
import type { Run } from '../run/state.ts';
import { bestOf, isMeasured, judgedPart, lastJudged, measurementsOf, objectiveOf } from './measuring.ts';

/** An agent reads this before it writes a hypothesis: `bt/failure-mining@1`. Nothing of the holdout is in it. */
export interface FailureMining {
  iteration: number;
  /** The part in which the losses were looked at. */
  part: string;
  best: { iteration: number; metrics: Record<string, number>; targets: Verdict[] } | null;
  clusters: Cluster[];
  drawdowns: Drawdown[];
  errors: { failure: string; count: number }[];
  tried: Tried[];
}

interface Tried {
  iteration: number;
  hypothesis: string;
  status: string;
  kept: boolean;
  gain: number | null;
  reason: string;
}

/** A prompt has room for so many. */
const MOST_TRIED = 50;
const MOST_ERRORS = 20;

/** The losses of the best state, and what was tried. */
export function miningOf(run: Run): FailureMining {
  const best = bestOf(run);
  const { splits } = objectiveOf(run);
  const part = splits.train ? 'train' : judgedPart(objectiveOf(run));
  const mined = best ? measurementsOf(run, best, part).find((each) => each.mined)?.mined : undefined;
  return {
    iteration: (lastJudged(run)?.iteration ?? -1) + 1,
    part,
    best:
      best?.result && best.judgement
        ? { iteration: best.iteration, metrics: best.result.metrics, targets: best.judgement.targets }
        : null,
    clusters: mined?.clusters ?? [],
    drawdowns: mined?.drawdowns ?? [],
    errors: errorsOf(run),
    tried: run.evaluations.flatMap((each) => triedOf(each) ?? []).slice(-MOST_TRIED),
  };
}

function errorsOf({ evaluations }: Run): FailureMining['errors'] {
  const counts = new Map<string, number>();
  const failures = evaluations.flatMap(({ measurements }) =>
    measurements.flatMap(({ part, measurement }) => (part === 'holdout' ? [] : [measurement.failure])),
  );
  for (const failure of failures) if (failure !== null) counts.set(failure, (counts.get(failure) ?? 0) + 1);
  return [...counts].map(([failure, count]) => ({ failure, count })).slice(-MOST_ERRORS);
}

function triedOf({ iteration, hypothesis, result, judgement }: Evaluation): Tried | undefined {
  if (iteration === 0 || !result || !judgement) return undefined;
  const { isKept: kept, gain, reason } = judgement;
  return { iteration, hypothesis: hypothesis?.hypothesis ?? '', status: result.status, kept, gain, reason };
}

/** The objective without the bounds of the holdout, which nobody sees before the end. */
export function shownObjective(run: Run): unknown {
  return isMeasured(run) ? objectiveUntilEnd(run.objective, run.state) : run.objective;
}

/** The objective of a measured run, as its row has it: without the holdout until the run ends. */
export function objectiveUntilEnd(objective: unknown, state: RunState): unknown {
  if (isTerminal(state)) return objective;
  const { splits, ...rest } = objective as { splits?: Record<string, unknown> };
  if (!splits) return rest;
  const { holdout: _, ...shown } = splits;
  return { ...rest, splits: shown };
}

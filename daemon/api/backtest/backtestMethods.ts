import { DevflowError } from '../../../schemas/errors.ts';
import { type ObjectiveDocument, readObjective } from '../../../schemas/objective/readObjective.ts';
import type { IterationRow, LoopSummary } from '../../../schemas/rpc/views/backtest.ts';
import { bestOf, isMeasured } from '../../core/objective/measuring.ts';
import { objectiveUntilEnd, shownObjective } from '../../core/objective/mining.ts';
import { datesOf, iterationDetail, iterationRows, loopSummary } from '../../core/objective/views.ts';
import type { Evaluation } from '../../core/run/evaluation.ts';
import type { Run } from '../../core/run/state.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import type { LoopRow } from '../../store/loops.ts';
import { getRun } from '../lookup/getRun.ts';
import type { Ids } from '../lookup/ids.ts';
import { diffOfIterations } from './diffOfIterations.ts';

export interface BacktestParts {
  ids: Pick<Ids, 'run'>;
  engine: Pick<RunEngine, 'readRun'>;
  tryObjective: HandlersOf<'backtest'>['backtest.try'];
  listLoops(limit?: number): Promise<LoopRow[]>;
  readLoop(runId: string): Promise<{ loop: LoopRow; iterations: IterationRow[] } | undefined>;
}

export function createBacktestMethods({
  ids,
  engine,
  listLoops,
  readLoop,
  tryObjective,
}: BacktestParts): HandlersOf<'backtest'> {
  const measuredRun = async (ref: string) => {
    const run = await getRun(engine, await ids.run(ref));
    if (isMeasured(run)) return run;
    throw new DevflowError('usage', `Run ${run.id} is not judged by measurements.`, {
      recoveryHint: 'devflow backtest list shows the runs that are.',
      runId: run.id,
    });
  };
  return {
    'backtest.try': tryObjective,
    'backtest.list': async ({ limit }) => (await listLoops(limit || undefined)).map(summaryOfRow),
    'backtest.show': async ({ runId, iteration }) => {
      // To fold the log of a thousand iterations takes most of a second. The rows say the same, without the details.
      const read = iteration === undefined ? await readLoop(await ids.run(runId)) : undefined;
      if (read) {
        const { loop, iterations } = read;
        const objective = objectiveUntilEnd(loop.objective, loop.state);
        return { summary: summaryOfRow(loop), objective, iterations, detail: null, dates: null };
      }
      const run = await measuredRun(runId);
      return {
        summary: loopSummary(run),
        objective: shownObjective(run),
        iterations: iterationRows(run),
        detail: iteration === undefined ? null : iterationDetail(run, evaluationAt(run, iteration)),
        dates: iteration === undefined ? null : datesOf(run, evaluationAt(run, iteration)),
      };
    },
    'backtest.compare': async ({ runId, a = 0, b }) => {
      const run = await measuredRun(runId);
      const first = evaluationAt(run, a);
      const second = evaluationAt(run, b ?? bestOf(run)?.iteration ?? 0);
      const diff = await diffOfIterations(run, first.commit, second.commit);
      return { runId: run.id, a: iterationDetail(run, first), b: iterationDetail(run, second), diff };
    },
  };
}

/** The newest evaluation of an iteration. */
function evaluationAt(run: Run, nth: number): Evaluation {
  const found = run.evaluations.findLast(({ iteration }) => iteration === nth);
  if (found) return found;
  const last = run.evaluations.at(-1)?.iteration;
  const message =
    last === undefined
      ? `Run ${run.id} has measured nothing yet.`
      : `Run ${run.id} has no iteration ${nth}: it has measured 0 to ${last}.`;
  throw new DevflowError('not_found', message, {
    recoveryHint: `See all iterations: devflow backtest show ${run.id}.`,
    runId: run.id,
  });
}

function summaryOfRow({ objective, ...row }: LoopRow): LoopSummary {
  const { primary, targets } = readObjective(objective as ObjectiveDocument);
  return { ...row, metric: primary.metric, better: primary.better, targets: targets.length };
}

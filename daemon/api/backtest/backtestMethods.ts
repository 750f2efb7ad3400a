import { DevflowError } from '../../../schemas/errors.ts';
import { type ObjectiveDocument, readObjective } from '../../../schemas/objective/readObjective.ts';
import type { DiffView } from '../../../schemas/rpc/views/approval.ts';
import type { IterationRow, LoopSummary } from '../../../schemas/rpc/views/backtest.ts';
import { bestOf, isMeasured } from '../../core/objective/measuring.ts';
import { objectiveUntilEnd, shownObjective } from '../../core/objective/mining.ts';
import { datesOf, iterationDetail, iterationRows, loopSummary } from '../../core/objective/views.ts';
import type { Evaluation } from '../../core/run/evaluation.ts';
import type { Run } from '../../core/run/state.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import { createGit } from '../../repository/git/git.ts';
import { worktreeOf } from '../../repository/git/worktreePlace.ts';
import { withPrivateGit } from '../../repository/privateGit/temporaryGit.ts';
import { commitNamed } from '../../repository/privateGit/workCommit.ts';
import { diffBetween } from '../../repository/worktree/diff.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import type { LoopRow } from '../../store/loops.ts';
import { getRun, type Ids } from '../lookup/ids.ts';

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

const MOST_FILES = 2_000;

/** The difference in the code of two measured commits; null if one of them is gone. */
function diffOfIterations(run: Run, from: string, to: string): Promise<DiffView | null> {
  return withPrivateGit(worktreeOf(run), createGit({ runId: run.id }), async (privateGit) => {
    const [base, head] = await Promise.all([from, to].map((commit) => commitNamed(privateGit, commit)));
    if (base === undefined || head === undefined) return null;
    const { files, patch, truncated } = await diffBetween(privateGit, { from: base, to: head });
    return { base, head, files: files.slice(0, MOST_FILES), patch, truncated: truncated || files.length > MOST_FILES };
  });
}

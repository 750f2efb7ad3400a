import type { NewEvent } from '../../../schemas/events/index.ts';
import { evaluationPlace, metricsDir } from '../../../schemas/files/runPaths.ts';
import { METRICS_VARIABLE, measuringEnvironment } from '../../../schemas/objective/measuringEnvironment.ts';
import type { Part, Range } from '../../../schemas/objective/objective.ts';
import { escalate } from '../../core/gates/escalate.ts';
import { evaluationOf, measureOf } from '../../core/objective/measuring.ts';
import { completedOf, evaluatedOf } from '../../core/objective/verdictOf.ts';
import { measuresApart } from '../../core/run/behaviour.ts';
import { commandStarted } from '../../core/run/commandStarted.ts';
import type { Evaluation } from '../../core/run/evaluation.ts';
import { commandId } from '../../core/run/keys.ts';
import { commandsStarted } from '../../core/run/query.ts';
import type { Phase, Run } from '../../core/run/state.ts';
import { nextMeasurement } from './plan.ts';

/** The next step of an evaluation: the next measurement, then the judgement. */
export function deriveEvaluation(run: Run, phase: Phase): NewEvent[] {
  const evaluation = evaluationOf(run, phase);
  if (phase.state !== 'running' || !evaluation) return [];
  const { id: iterationId } = evaluation;
  if (evaluation.judgement)
    return evaluation.judgement.isKept || evaluation.iteration > 0 ? [] : noBase(run, phase, evaluation);
  if (evaluation.result) {
    const payload = { iterationId, ...evaluatedOf(run, evaluation) };
    return [{ type: 'backtest.objective_evaluated', phaseId: phase.id, payload }];
  }
  const started = commandsStarted(run, phase);
  if (started.length > evaluation.measurements.length) return [];
  const next = nextMeasurement(run, evaluation);
  if (next) return [startMeasurement(run, phase, started.length, next)];
  const payload = { iterationId, ...completedOf(run, evaluation) };
  return [{ type: 'backtest.iteration_completed', phaseId: phase.id, payload }];
}

const HINT = 'Fix the command of the objective or what it needs, then approve to measure again.';
const HINT_APART = `${HINT} It runs in a worktree with only the files of the commit, and with an empty home directory.`;

/** Without a measurement of the base there is nothing to compare with. */
function noBase(run: Run, phase: Phase, { judgement }: Evaluation): NewEvent[] {
  return escalate(run, phase, {
    code: 'command_failed',
    reason: `the state before the first change cannot be measured: ${judgement?.reason}`,
    hint: measuresApart(run) ? HINT_APART : HINT,
  });
}

function startMeasurement(
  run: Run,
  phase: Phase,
  index: number,
  { part, range }: { part: Part; range: Range | null },
): NewEvent {
  const { argv, timeoutMs } = measureOf(run);
  const id = commandId(phase, index);
  const isApart = measuresApart(run);
  const metrics = metricsDir(run.workspaceRoot, run.id, phase.key, phase.attempts, index);
  return commandStarted(run, phase, {
    commandId: id,
    index,
    kind: 'backtest',
    argv,
    cwd: isApart ? evaluationPlace(run.workspaceRoot, run.id).worktree : run.worktreeRoot,
    timeoutMs: timeoutMs ?? run.options.commandTimeoutMs,
    env: {
      ...(isApart ? {} : { [METRICS_VARIABLE]: metrics }),
      ...measuringEnvironment({ part, range, ...(isApart ? { nth: index } : {}) }),
    },
  });
}

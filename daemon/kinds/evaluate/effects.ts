import { evaluationPlace, metricsDir, metricsDirs } from '../../../schemas/files/runPaths.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { METRICS_VARIABLE } from '../../../schemas/objective/measuringEnvironment.ts';
import { unitsOf } from '../../../schemas/objective/readObjective.ts';
import type { Effect, EffectOf } from '../../core/effect/effect.ts';
import { bestOf, evaluationOf, measureOf, objectiveOf } from '../../core/objective/measuring.ts';
import { hashesLargeFiles, measuresApart, readsPercentages } from '../../core/run/behaviour.ts';
import type { CommandRun } from '../../core/run/commandRun.ts';
import type { Evaluation } from '../../core/run/evaluation.ts';
import { placeOf } from '../../core/run/lanes.ts';
import { commandsStarted, lastCommit } from '../../core/run/query.ts';
import { placeSetup } from '../../core/run/setupEnvironment.ts';
import type { Phase, Run } from '../../core/run/state.ts';
import type { EvaluationPlace, ProtectedFiles } from './effect.ts';

/** The effects of an evaluation, beside the commands themselves. */
export function evaluationEffects(run: Run, phase: Phase): Effect[] {
  if (phase.state !== 'running') return [];
  const evaluation = evaluationOf(run, phase);
  if (!evaluation) return [inspect(run, phase)];
  if (evaluation.judgement) return evaluation.judgement.isKept || evaluation.iteration > 0 ? [restore(run, phase)] : [];
  return unread(run, phase, evaluation);
}

function inspect(run: Run, phase: Phase): Effect {
  return {
    type: 'inspectEvaluation',
    runId: run.id,
    key: `inspectEvaluation:${phase.id}:${phase.attempts}`,
    phaseId: phase.id,
    attempt: phase.attempts,
    lane: placeOf(run, MAIN),
    since: bestOf(run)?.commit ?? null,
    files: protectedFiles(run),
    metrics: metricsDirs(run.workspaceRoot, run.id, phase.key, phase.attempts),
    ...apartOf(run),
  };
}

function apartOf(run: Run): { apart?: EvaluationPlace } {
  if (!measuresApart(run)) return {};
  const place = evaluationPlace(run.workspaceRoot, run.id);
  return { apart: { ...place, ...placeSetup(run, 'evaluation', place.worktree) } };
}

/** Adds the place of an evaluation to its command. */
export function measuringCommand(
  run: Run,
  phase: Phase,
  { index }: CommandRun,
): Pick<EffectOf<'runCommand'>, 'measuring'> {
  const { apart } = apartOf(run);
  const evaluation = evaluationOf(run, phase);
  if (!apart || !evaluation) return {};
  const metrics = metricsDir(run.workspaceRoot, run.id, phase.key, phase.attempts, index);
  return { measuring: { ...apart, commit: evaluation.commit, metrics } };
}

/** Reads what a command that has ended wrote. */
function unread(run: Run, phase: Phase, { measurements, iteration }: Evaluation): Effect[] {
  const isRead = (id: string) => measurements.some(({ commandId }) => commandId === id);
  const { parser, file, names } = measureOf(run);
  return commandsStarted(run, phase)
    .filter(({ id, state }) => state !== 'started' && !isRead(id))
    .map(({ id, state, reason, env = {}, stdoutPath, stderrPath }) => ({
      type: 'readMeasurement',
      runId: run.id,
      key: `readMeasurement:${id}`,
      phaseId: phase.id,
      commandId: id,
      lane: placeOf(run, MAIN),
      dir: measuresApart(run) ? null : (env[METRICS_VARIABLE] ?? ''),
      stdoutPath,
      stderrPath,
      ended: { ok: state === 'completed', reason: reason ?? '' },
      source: { parser, file, names },
      ...(readsPercentages(run) ? { units: unitsOf(objectiveOf(run), iteration === 0) } : {}),
      files: protectedFiles(run),
      ...apartOf(run),
    }));
}

function protectedFiles(run: Run): ProtectedFiles {
  const { editable, protected: globs } = objectiveOf(run);
  const files = { editable, globs, argv: measureOf(run).argv };
  return hashesLargeFiles(run) ? { ...files, hashesLarge: true } : files;
}

/** Brings the worktree to the best state, and removes what the measurements left there. */
function restore(run: Run, phase: Phase): Effect {
  const best = bestOf(run);
  const since = lastCommit(run) ?? run.baseCommit;
  return {
    type: 'restoreBest',
    runId: run.id,
    key: `restoreBest:${phase.id}:${phase.attempts}`,
    phaseId: phase.id,
    phaseKey: phase.key,
    attempt: phase.attempts,
    lane: placeOf(run, MAIN),
    since,
    best: best?.commit ?? since,
    title: best?.iteration === 0 ? 'go back to the base' : `go back to iteration ${best?.iteration}`,
  };
}

import type { EventPayload, NewEvent } from '../../../schemas/events/index.ts';
import { derivedId } from '../../../schemas/ids.ts';
import type { OutcomeOf } from '../../core/effect/outcome.ts';
import { baseOf, evaluationOf, nthOf } from '../../core/objective/measuring.ts';
import type { KindRules } from '../../core/phases/kindRules.ts';
import { isInIteration, iterationOf } from '../../core/run/iterations.ts';
import { newestArtifact } from '../../core/run/newestArtifact.ts';
import { commandsStarted } from '../../core/run/query.ts';
import type { Phase, Run } from '../../core/run/state.ts';

const HYPOTHESIS = 'bt/hypothesis@1';

/** The events of an inspection, a measurement or a restored state. */
export const evaluationOutcomes: KindRules<'evaluate'>['outcomes'] = {
  evaluationInspected: inspected,
  measured,
  workCommitted(run, phase, { attempt, work }) {
    const isJudged = phase.state === 'running' && evaluationOf(run, phase)?.judgement;
    if (!isJudged || attempt !== phase.attempts) return [];
    return [{ type: 'phase.completed', phaseId: phase.id, payload: { attempt, work } }];
  },
};

function inspected(run: Run, phase: Phase, outcome: OutcomeOf<'evaluationInspected'>): NewEvent[] {
  const { attempt, commit, tree, protectedHash, touched } = outcome;
  if (phase.state !== 'running' || attempt !== phase.attempts || evaluationOf(run, phase)) return [];
  const base = baseOf(run);
  const isChanged = base !== undefined && base.protectedHash !== protectedHash;
  // A path that git knows says more than the hash of all files.
  const tampered =
    touched.length === 0 && isChanged ? ['a protected file that git ignores differs from the base'] : touched;
  const known = run.evaluations.find(
    (each) => each.tree === tree && each.sameAs === null && each.result?.status === 'valid',
  );
  const payload = {
    iterationId: derivedId('evaluation', phase.id, attempt),
    attempt,
    iteration: nthOf(run, phase),
    commit,
    tree,
    protectedHash,
    hypothesis: hypothesisOf(run, phase),
    tampered,
    sameAs: known?.id ?? null,
  };
  return [{ type: 'backtest.iteration_started', phaseId: phase.id, payload }];
}

function measured(run: Run, phase: Phase, outcome: OutcomeOf<'measured'>): NewEvent[] {
  const { commandId, measurement, protectedHash } = outcome;
  const evaluation = evaluationOf(run, phase);
  const command = commandsStarted(run, phase).find(({ id }) => id === commandId);
  if (!evaluation || !command || evaluation.measurements.some((each) => each.commandId === commandId)) return [];
  const part = (command.env?.DEVFLOW_SPLIT ?? 'all') as EventPayload<'backtest.measured'>['part'];
  const payload = { iterationId: evaluation.id, commandId, part, measurement, protectedHash };
  return [{ type: 'backtest.measured', phaseId: phase.id, payload }];
}

/** The expectation of this iteration's agent about its change. Its schema has checked it. */
function hypothesisOf(run: Run, phase: Phase): EventPayload<'backtest.iteration_started'>['hypothesis'] {
  if (!isInIteration(run, phase)) return null;
  const { artifact, at } = newestArtifact(run, HYPOTHESIS) ?? {};
  const iteration = iterationOf(run);
  if (!artifact?.data || !at || !iteration || at < iteration.startedAt) return null;
  const { hypothesis, evidence, expect, paths } =
    artifact.data as EventPayload<'backtest.iteration_started'>['hypothesis'] & object;
  const { metric, direction, size } = expect;
  return { hypothesis, evidence, expect: { metric, direction, size }, paths };
}

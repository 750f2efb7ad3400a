import type { NewEvent } from '../../../schemas/events/index.ts';
import { commandOutputDir, integrationPath } from '../../../schemas/files/runPaths.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { Effect } from '../../core/effect/effect.ts';
import type { OutcomeOf } from '../../core/effect/outcome.ts';
import { requestOwnGate } from '../../core/gates/laneGates.ts';
import { comparesRed } from '../../core/run/behaviour.ts';
import { headOf, laneOf, mergeTime, placeOf } from '../../core/run/lanes.ts';
import { isLaneHeld } from '../../core/run/query.ts';
import { commandSandbox } from '../../core/run/sandboxOf.ts';
import { placeSetup } from '../../core/run/setupEnvironment.ts';
import type { Run } from '../../core/run/state.ts';
import { ejected } from './ejected.ts';
import { dagOf, type LanesPhase } from './plan.ts';
import { redToAccept } from './queue/acceptedRed.ts';
import { nextMerge } from './queue/nextMerge.ts';
import type { Eject, MergeStep } from './queue/queue.ts';
import { mergeChecks, queueOf } from './queueOf.ts';

/** Steps of the merge queue that need no effect: it sends a lane back, or asks a person. */
export function queueEvents(run: Run, phase: LanesPhase): NewEvent[] {
  if (isLaneHeld(run, phase, MAIN)) return [];
  const queue = queueOf(run, phase);
  const step = nextMerge(queue);
  if (step.do === 'askBaseRed') {
    const { failed, test } = step;
    const subject = comparesRed(run) ? redToAccept(queue, step) : { failed, results: test.results };
    return [requestOwnGate(run, phase, MAIN, 'base_red', { ...subject, plan: dagOf(phase).plan })];
  }
  return step.do === 'eject' ? [sentBack(run, phase, step)] : [];
}

/**
 * A lane conflicts with the base of a test. A conflict ends a search: the lane goes back and names the lanes that are
 * still possible.
 */
export function mergeConflicted(run: Run, phase: LanesPhase, outcome: OutcomeOf<'mergeConflicted'>): NewEvent[] {
  const { laneId, head, base, paths } = outcome;
  const lane = laneOf(run, laneId);
  if (!dagOf(phase).queue.includes(laneId) || headOf(lane) !== head) return [];
  const step = nextMerge(queueOf(run, phase));
  if (step.do === 'test' && step.base === base && step.onConflict) return [sentBack(run, phase, step.onConflict)];
  return [ejected(phase, lane, { cause: 'conflict', base, paths })];
}

function sentBack(run: Run, phase: LanesPhase, { laneId, cause, base, test, failed, with: others }: Eject): NewEvent {
  const results = test.results.filter((_, index) => failed.includes(index));
  return ejected(phase, laneOf(run, laneId), { cause, base, with: others, results });
}

/** The merge that is tested or lands now. */
export function queueEffects(run: Run, phase: LanesPhase): Effect[] {
  if (isLaneHeld(run, phase, MAIN)) return [];
  const step = nextMerge(queueOf(run, phase));
  if (step.do === 'test') return [testMerge(run, phase, step)];
  return step.do === 'land' ? [landMerge(run, phase, step)] : [];
}

function testMerge(run: Run, phase: LanesPhase, { base, lanes, nth }: Extract<MergeStep, { do: 'test' }>): Effect {
  const checks = mergeChecks(run, phase);
  const heads = lanes.map(({ head }) => head).join('+');
  const worktree = integrationPath(run.workspaceRoot, run.id);
  const { setup } = placeSetup(run, 'checks', worktree);
  const known = dagOf(phase).tests.filter((test) => test.checks === checks.hash);
  return {
    type: 'testMerge',
    runId: run.id,
    ...(setup ? { setup: { ...setup, isCheck: true } } : {}),
    key: `testMerge:${phase.id}:${base}:${heads}:${checks.hash}:${nth}`,
    phaseId: phase.id,
    laneId: MAIN,
    main: placeOf(run, MAIN),
    worktree,
    base,
    lanes,
    checks,
    nth,
    known: known.map(({ tree, failed, results }) => ({ tree, failed, results })),
    dir: commandOutputDir(run.workspaceRoot, run.id),
    ...commandSandbox(run),
    at: mergeTime(run),
  };
}

function landMerge(
  run: Run,
  phase: LanesPhase,
  { from, to, lanes, flaky }: Extract<MergeStep, { do: 'land' }>,
): Effect {
  return {
    type: 'landMerge',
    runId: run.id,
    key: `landMerge:${phase.id}:${from}:${to}`,
    phaseId: phase.id,
    laneId: MAIN,
    main: placeOf(run, MAIN),
    from,
    to,
    lanes,
    flaky,
  };
}

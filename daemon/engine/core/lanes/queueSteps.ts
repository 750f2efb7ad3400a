import type { NewEvent } from '../../../../schemas/events/index.ts';
import { commandOutputDir, integrationPath } from '../../../../schemas/files/runPaths.ts';
import { MAIN } from '../../../../schemas/mainLane.ts';
import type { Effect } from '../run/effect.ts';
import { laneOf, mergeTime, placeOf } from '../run/lanes.ts';
import { isLaneHeld } from '../run/query.ts';
import type { Phase, Run } from '../run/state.ts';
import { ejected } from './ejected.ts';
import { requestOwnGate } from './laneGates.ts';
import { dagOf } from './plan.ts';
import { nextMerge } from './queue/nextMerge.ts';
import type { MergeStep } from './queue/queue.ts';
import { mergeChecks, queueOf } from './queueOf.ts';

/** What the merge queue does without anything being done: it sends a lane back, or asks a person. */
export function queueEvents(run: Run, phase: Phase): NewEvent[] {
  if (isLaneHeld(run, phase, MAIN)) return [];
  const step = nextMerge(queueOf(run, phase));
  if (step.do === 'askBaseRed') {
    const { failed, test } = step;
    return [requestOwnGate(run, phase, MAIN, 'base_red', { failed, results: test.results })];
  }
  if (step.do !== 'eject') return [];
  const { laneId, cause, base, test, failed } = step;
  const results = test.results.filter((_, index) => failed.includes(index));
  return [ejected(phase, laneOf(run, laneId), { cause, base, with: step.with, results })];
}

/** The merge that is tested or lands now. */
export function queueEffects(run: Run, phase: Phase): Effect[] {
  if (isLaneHeld(run, phase, MAIN)) return [];
  const step = nextMerge(queueOf(run, phase));
  if (step.do === 'test') return [testMerge(run, phase, step)];
  return step.do === 'land' ? [landMerge(run, phase, step)] : [];
}

function testMerge(run: Run, phase: Phase, { base, lanes, nth }: Extract<MergeStep, { do: 'test' }>): Effect {
  const checks = mergeChecks(run, phase);
  const heads = lanes.map(({ head }) => head).join('+');
  const known = dagOf(phase).tests.filter((test) => test.checks === checks.hash);
  return {
    type: 'testMerge',
    runId: run.id,
    key: `testMerge:${phase.id}:${base}:${heads}:${checks.hash}:${nth}`,
    phaseId: phase.id,
    laneId: MAIN,
    main: placeOf(run, MAIN),
    worktree: integrationPath(run.workspaceRoot, run.id),
    base,
    lanes,
    checks,
    nth,
    known: known.map(({ tree, failed, results }) => ({ tree, failed, results })),
    dir: commandOutputDir(run.workspaceRoot, run.id),
    at: mergeTime(run),
  };
}

function landMerge(run: Run, phase: Phase, { from, to, lanes, flaky }: Extract<MergeStep, { do: 'land' }>): Effect {
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

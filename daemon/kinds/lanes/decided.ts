import type { NewEvent } from '../../../schemas/events/index.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { OwnDecision } from '../../core/phases/kindRules.ts';
import { closeCommands, failRun, rejection } from '../../core/run/endRun.ts';
import { laneOf } from '../../core/run/lanes.ts';
import { restartPhase } from '../../core/run/restartPhase.ts';
import type { Approval, Lane, Run } from '../../core/run/state.ts';
import { refusal } from './outcomes.ts';
import { type LanesPhase, planPhaseOf } from './plan.ts';

/** The events of a decision at a gate of a lane, of the queue, or of the plan. */
export function laneDecided(
  run: Run,
  phase: LanesPhase,
  approval: Approval,
  { action, comment }: OwnDecision,
): NewEvent[] {
  const { gateKey, subject } = approval;
  const laneId = approval.laneId ?? '';
  if (action === 'reject') {
    // Without the plan, or with a base that a person refuses, there is nothing to go on with.
    if (laneId === MAIN) return failRun(run, phase, rejection(approval, comment));
    const reason = `rejected at the gate ${gateKey}${comment ? `: ${comment}` : ''}`;
    const running = run.commands.filter((command) => command.laneId === laneId && command.state === 'started');
    return [
      ...running.flatMap(({ id }) => closeCommands(run, reason, id)),
      { type: 'lane.abandoned', phaseId: phase.id, payload: { laneId, reason, ...timesOf(laneOf(run, laneId)) } },
    ];
  }
  if (action === 'approve') return [];
  if (gateKey === 'parallel_dag_approved') {
    return [restartPhase(planPhaseOf(run, phase), 'changes_requested', comment)];
  }
  const refused = gateKey === 'merge_conflict' && subject.assignment !== undefined;
  return refused ? [refusal(run, phase, laneId, [comment ?? 'A person refused this resolution.'])] : [];
}

/** Counts the times that a lane was abandoned, if not for the first time. */
function timesOf({ reopens }: Lane): { nth?: number } {
  return reopens.length === 0 ? {} : { nth: reopens.length + 1 };
}

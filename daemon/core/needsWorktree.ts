import { MAIN } from '../../schemas/mainLane.ts';
import { kindOf } from '../kinds/index.ts';
import { bindsWorktree } from './run/behaviour.ts';
import { isDetached, laneOf } from './run/lanes.ts';
import { nextGate } from './run/query.ts';
import type { Phase, Run } from './run/state.ts';
import { skipOf } from './skip.ts';

/**
 * True if the run must read its worktree first: a gate is about to open, or a phase starts from what was approved. For the
 * gate of an agent phase, the commit already reads it. False for a worktree without a branch: no gate is about its content.
 */
export function needsWorktree(run: Run, phase: Phase): boolean {
  if (!bindsWorktree(run) || isDetached(laneOf(run, MAIN))) return false;
  switch (phase.state) {
    case 'pending':
      return (run.decided !== null || run.published.length > 0) && !skipOf(run, phase);
    case 'awaiting_approval':
      return nextGate(run, phase) !== undefined;
    case 'running':
      return kindOf(phase).isAtGate(run, phase);
    default:
      return false;
  }
}

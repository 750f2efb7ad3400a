import { bindsWorktree } from './run/behaviour.ts';
import { commandsOf, commandsStarted, definitionOf, nextGate } from './run/query.ts';
import type { Phase, Run } from './run/state.ts';

/**
 * True if the run must read its worktree first: a gate is about to open, or a phase starts from what was approved. For the
 * gate of an agent phase, the commit already reads it.
 */
export function needsWorktree(run: Run, phase: Phase): boolean {
  if (!bindsWorktree(run)) return false;
  switch (phase.state) {
    case 'pending':
      return run.decided !== null && !hasNothingToDo(run, phase);
    case 'awaiting_approval':
      return nextGate(run, phase) !== undefined;
    case 'running':
      return definitionOf(run, phase).kind === 'command' && isAtItsGate(run, phase);
    default:
      return false;
  }
}

function isAtItsGate(run: Run, phase: Phase): boolean {
  const started = commandsStarted(run, phase);
  const isDone = started.length === commandsOf(run, phase).length && started.every(({ state }) => state !== 'started');
  return isDone && nextGate(run, phase) !== undefined;
}

/** A command phase without commands and gates. */
export function hasNothingToDo(run: Run, phase: Phase): boolean {
  const isIdle = definitionOf(run, phase).kind === 'command' && commandsOf(run, phase).length === 0;
  return isIdle && nextGate(run, phase) === undefined;
}

import type { NewEvent } from '../../schemas/events/index.ts';
import { decide } from './decide.ts';
import { beginPhase } from './deriveEvents.ts';
import type { OutcomeOf } from './effect/outcome.ts';
import { checkedDrifts, driftFailure, recordDrifts } from './exchange/drift.ts';
import { escalate, type Failure } from './gates/escalate.ts';
import { gateRequest } from './gates/gate.ts';
import { hostReturned } from './gates/hostGate.ts';
import { closeCommands } from './run/endRun.ts';
import { producerOf } from './run/producer.ts';
import { currentPhase, isFrozen, nextGate } from './run/query.ts';
import type { Phase, Run } from './run/state.ts';
import { describeChange, isSameWorktree } from './run/worktreeState.ts';

/** Opens a gate bound to this state, or starts the phase if the state is the approved one. */
export function worktreeRead(run: Run, { key, worktree, drifts: found = [] }: OutcomeOf<'worktreeRead'>): NewEvent[] {
  const phase = currentPhase(run);
  if (!phase || !decide(run).some((effect) => effect.key === key)) return [];
  const gate = nextGate(run, phase);
  if (phase.state !== 'pending') {
    const producer = producerOf(run, phase);
    return gate === undefined ? [] : [gateRequest(run, phase, gate, { producer, work: phase.work, worktree })];
  }
  const drifts = checkedDrifts(run, found);
  if (drifts.length > 0) {
    return [...recordDrifts(run, phase, drifts), ...escalateAtStart(run, phase, driftFailure(phase, drifts))];
  }
  if (!run.decided || isSameWorktree(run.decided, worktree)) return [beginPhase(run, phase)];
  const reason = `${describeChange(run, run.decided, worktree)} after it was approved and before ${phase.key} started`;
  return escalateAtStart(run, phase, { code: 'changes_under_decision', reason, worktree });
}

/** Closes the command even during a pause. The gate opens when the run resumes. */
export function worktreeMoved(run: Run, { key, worktree }: OutcomeOf<'worktreeMoved'>): NewEvent[] {
  const phase = currentPhase(run);
  const effect = decide(run).find((candidate) => candidate.key === key);
  if (!phase || effect?.type !== 'runCommand') return [];
  const reason = `${describeChange(run, phase.from, worktree)} after it was approved and before a command of ${phase.key} started`;
  const closed = closeCommands(run, reason);
  if (isFrozen(run)) return closed;
  const failure: Failure = { code: 'changes_under_decision', reason, worktree };
  return [...hostReturned(run), ...closed, ...escalate(run, phase, failure)];
}

/** The phase cannot start: its attempt begins and fails at once. */
export function escalateAtStart(run: Run, phase: Phase, failure: Failure): NewEvent[] {
  return [beginPhase(run, phase), ...escalate(run, { ...phase, attempts: phase.attempts + 1 }, failure)];
}

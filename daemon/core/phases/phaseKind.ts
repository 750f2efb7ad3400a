import type { ApprovalDecisionAction } from '../../../schemas/enums.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import type { Attempt } from '../assignment/newAssignment.ts';
import type { Request } from '../assignment/request.ts';
import type { Effect, EffectOf } from '../effect/effect.ts';
import type { PhaseOutcome } from '../effect/outcome.ts';
import type { CommandRun } from '../run/commandRun.ts';
import type { Approval, Assignment, Phase, Run } from '../run/state.ts';

/** What a person decided at one of devflow's own gates. */
export interface OwnDecision {
  action: Exclude<ApprovalDecisionAction, 'abort'>;
  comment: string | null;
}

/** A kind of phase. Everything that distinguishes it from the others is in its one value. */
export interface PhaseKind {
  /** What an attempt of the phase begins with. */
  begin(run: Run, phase: Phase, attempt: Attempt): Pick<Phase, 'assignments'> & Partial<Pick<Phase, 'dag' | 'review'>>;
  /** True if an attempt would do nothing and stop at no gate. */
  isEmpty(run: Run, phase: Phase): boolean;
  /** True if the work is done and only the state of the worktree is missing for the gate. */
  isAtGate(run: Run, phase: Phase): boolean;
  /** The events that follow from the state of a running phase alone. */
  derive(run: Run, phase: Phase): NewEvent[];
  /** What must be going on in a running phase. Its commands go on by themselves. */
  effects(run: Run, phase: Phase): Effect[];
  /** How a command of the phase runs, beside what its event says. */
  commandExtras?(run: Run, phase: Phase, command: CommandRun): Pick<EffectOf<'runCommand'>, 'measuring'>;
  /** What an assignment of the phase is asked for. */
  request(run: Run, phase: Phase, assignment: Assignment): Request;
  /** The phase that does what a person asks for at a gate of this one. */
  producer(run: Run, phase: Phase): Phase;
  /** The events that follow from an outcome that only this kind of phase has. */
  handle(run: Run, phase: Phase, outcome: PhaseOutcome): NewEvent[];
  /** What follows from a decision at one of devflow's own gates. */
  decided(run: Run, phase: Phase, approval: Approval, decision: OwnDecision): NewEvent[];
}

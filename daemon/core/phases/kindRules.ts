import type { ApprovalDecisionAction, PhaseKind } from '../../../schemas/enums.ts';
import type { KindEventType, NewEvent, RunEvent, RunEventType } from '../../../schemas/events/index.ts';
import type { RoundCompleted, RoundStarted } from '../../../schemas/events/iteration.ts';
import type { EffectOfKind, OutcomeOfKind } from '../../kinds/effects.ts';
import type { StateOfKind } from '../../kinds/states.ts';
import type { Attempt } from '../assignment/newAssignment.ts';
import type { Request } from '../assignment/request.ts';
import type { Effect, EffectOf } from '../effect/effect.ts';
import type { OutcomeOf, PhaseOutcome } from '../effect/outcome.ts';
import type { PossibleOf } from '../effect/possible.ts';
import type { CommandRun } from '../run/commandRun.ts';
import type { Approval, Assignment, Phase, PhaseOf, Run } from '../run/state.ts';

/** A person's decision at one of devflow's own gates. */
export interface OwnDecision {
  action: Exclude<ApprovalDecisionAction, 'abort'>;
  comment: string | null;
}

/** Somebody whom an open run waits for. */
export type WaitsFor =
  /** `sessionId`: the person is needed in the pane of this agent. `messageId`: the person must say whether it has this message. */
  | { party: 'person'; sentence: string; approvalRequestId?: string; sessionId?: string; messageId?: string }
  | { party: 'agent' | 'devflow' | 'command'; sentence: string };

/** A person says that the work of a phase that they lead is finished. `now`: whatever the agent does. */
export interface FinishSignal {
  type: 'finish';
  now: boolean;
}

/** A kind of phase. Everything that distinguishes its runs from those of others is in its one value. */
export interface KindRules<K extends PhaseKind> {
  /** An attempt of the phase begins with this. */
  begin(run: Run, phase: PhaseOf<K>, attempt: Attempt): Pick<Phase, 'assignments'> & Partial<StateOfKind[K]>;
  /** True if an attempt would do nothing and stop at no gate. */
  isEmpty(run: Run, phase: PhaseOf<K>): boolean;
  /** True if the work is done and only the state of the worktree is missing for the gate. */
  isAtGate(run: Run, phase: PhaseOf<K>): boolean;
  /** The events that follow from the state of a running phase alone. */
  derive(run: Run, phase: PhaseOf<K>): NewEvent[];
  /** The effects of a running phase. Its commands go on by themselves. */
  effects(run: Run, phase: PhaseOf<K>): Effect[];
  /** The lanes in which agents or commands of a phase at work have something to do. Their worktrees must be set up. */
  worksIn(run: Run, phase: PhaseOf<K>): string[];
  /** The sessions whose agents work without an effect of devflow. Absent: none. */
  atWork?(run: Run, phase: PhaseOf<K>): string[];
  /** The parties that a phase at work waits for beside its effects and stalls. Absent: none. */
  waits?(run: Run, phase: PhaseOf<K>): WaitsFor[];
  /** More about a command of the phase than its event has. */
  commandExtras?(run: Run, phase: PhaseOf<K>, command: CommandRun): Pick<EffectOf<'runCommand'>, 'measuring'>;
  request(run: Run, phase: PhaseOf<K>, assignment: Assignment): Request;
  /** The events that follow from an outcome of a phase, by its type. Late outcomes cause none. */
  outcomes: Handlers<K, OutcomeOfKind[K]['type']> & Partial<Handlers<K, PhaseOutcome['type']>>;
  /** The events of a person's word that the work is finished. Absent: only files and gates end the phase. */
  finish?(run: Run, phase: PhaseOf<K>, signal: FinishSignal): NewEvent[];
  /** The events of a decision at one of devflow's own gates. */
  decided(run: Run, phase: PhaseOf<K>, approval: Approval, decision: OwnDecision): NewEvent[];
  /** Folds the events that only this kind has. */
  folds: Folds<KindEventType<K>>;
  /** Folds the event of a round. */
  evolveRound?(run: Run, event: RoundEvent): Run;
  rehearsal: Rehearsal<K>;
}

type Handlers<K extends PhaseKind, T extends PhaseOutcome['type']> = {
  readonly [O in T]: (run: Run, phase: PhaseOf<K>, outcome: OutcomeOf<O>) => NewEvent[];
};

type EventOf<T extends RunEventType> = Extract<RunEvent, { type: T }>;

export type Folds<T extends RunEventType> = { readonly [E in T]: (run: Run, event: EventOf<E>) => Run };

type WithPayload<T extends RunEventType, P> = Omit<EventOf<T>, 'payload'> & { payload: P };

/** A round of one phase, and not an iteration of several. */
export type RoundEvent =
  | WithPayload<'iteration.started', RoundStarted>
  | WithPayload<'iteration.completed', RoundCompleted>;

/** A phase of the kind while a template is walked (`rehearse/`). */
export interface Rehearsal<K extends PhaseKind> {
  /** The results of the effects that only this kind has. */
  possible: { readonly [T in EffectOfKind[K]['type']]: PossibleOf<T> };
  /** The future of the phase depends on these, beside its assignments and commands. */
  atWork(run: Run, phase: PhaseOf<K>): string[];
  /** Later phases depend on these, for a phase that is not at work. */
  ended(phase: PhaseOf<K>): string[];
  /** True if a check went wrong already. Then none does again, because the same would follow. */
  hasFailed?(run: Run, phase: PhaseOf<K>): boolean;
  /** The only answer that an agent gives, because another gave it before: the number of it in `sampleAnswers.ts`. */
  secondedAnswer?(phase: PhaseOf<K>, effect: EffectOf<'awaitArtifact'>): number | undefined;
  /** What a person does when nothing is left to do but for them. Absent: nothing but decisions. */
  acts?(run: Run, phase: PhaseOf<K>): { signal: FinishSignal; words: string }[];
}

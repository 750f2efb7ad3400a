import { expect } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectType } from '../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { onOutcome, onSignal } from '../../../../daemon/core/transition.ts';
import type {
  ApprovalDecisionAction,
  ApprovalState,
  RunPhaseState,
  RunState,
  SessionState,
  StallCause,
} from '../../../../schemas/enums.ts';
import type { ErrorCode } from '../../../../schemas/errors.ts';
import type { RunEvent, RunEventType } from '../../../../schemas/events/index.ts';
import { errorRecord, resultsOf } from './outcomes.ts';
import { type Records, recordedBy } from './records.ts';
import { newRun, type Shape, second } from './run.ts';

/** An outcome or a signal, or a function that makes one from the run's state. */
export type Input = Outcome | Signal | ((run: Run) => Outcome | Signal);

export interface States {
  run?: RunState;
  /** By phase key. */
  phases?: Record<string, RunPhaseState>;
  /** By role id. */
  sessions?: Record<string, SessionState>;
  /** By gate key: the newest request of that gate. */
  approvals?: Record<string, ApprovalState>;
}

/** A run in a test: apply inputs, then check what follows. */
export interface Story {
  readonly run: Run;
  readonly events: readonly RunEvent[];
  /** The events of the last input. */
  readonly latest: readonly RunEvent[];
  on(...inputs: Input[]): Story;
  /** As `on`, but without performing a due `inspectWorktree`. */
  onAlone(...inputs: Input[]): Story;
  /** The run after the first event of this type. */
  upTo(type: RunEventType): Story;
  /** Expects these events of the last input, in this order. */
  records(...types: RunEventType[]): Story;
  /** As `records`, where the events depend on the behaviour of the run. */
  recordsBy(records: Records): Story;
  refuses(signal: Input, code: ErrorCode): Story;
  to(states: States): Story;
  /** Expects exactly these effects to be due. */
  decides(...types: EffectType[]): Story;
}

/** A new run after these inputs. */
export function given(shape: Shape, ...inputs: Input[]): Story {
  const { run, events } = newRun(shape);
  return story(run, events, []).on(...inputs);
}

function story(run: Run, events: readonly RunEvent[], latest: readonly RunEvent[]): Story {
  const self: Story = {
    run,
    events,
    latest,
    on: (...inputs) =>
      inputs.reduce<Story>((at, input) => {
        const next = inspected(apply(at.run, resolve(at.run, input)));
        return story(next.run, [...at.events, ...next.events], next.events);
      }, self),
    onAlone: (...inputs) =>
      inputs.reduce<Story>((at, input) => {
        const next = apply(at.run, resolve(at.run, input));
        return story(next.run, [...at.events, ...next.events], next.events);
      }, self),
    upTo(type) {
      const kept = events.slice(0, events.findIndex((event) => event.type === type) + 1);
      const then = replay(kept);
      if (!then) throw new TypeError(`no ${type} was recorded`);
      return story(then, kept, []);
    },
    records(...types) {
      expect(latest.map((event) => event.type)).toEqual(types);
      return self;
    },
    recordsBy: (records) => self.records(...recordedBy(run.behaviour, records)),
    refuses(input, code) {
      const result = onSignal(run, resolve(run, input) as Signal, second(run.lastSeq));
      expect('refused' in result && result.refused.code).toBe(code);
      return self;
    },
    to(states) {
      expect(statesLike(run, states)).toEqual(states);
      return self;
    },
    decides(...types) {
      expect(decide(run).map((effect) => effect.type)).toEqual(types);
      return self;
    },
  };
  return self;
}

const resolve = (run: Run, input: Input) => (typeof input === 'function' ? input(run) : input);

const SIGNALS: readonly string[] = [
  'pause',
  'resume',
  'abort',
  'skip',
  'progress',
  'finish',
  'reopenLane',
  'askCleanup',
  'edit',
  'applied',
  'queueMessage',
  'withdrawMessage',
  'settleMessage',
  'continue',
  'decide',
] satisfies Signal['type'][];
export const isSignal = (input: Outcome | Signal): input is Signal => SIGNALS.includes(input.type);

/** Performs a due `inspectWorktree`. It finds the last committed or approved state. */
function inspected(step: { run: Run; events: RunEvent[] }): { run: Run; events: RunEvent[] } {
  const [due] = decide(step.run);
  const [found] = due?.type === 'inspectWorktree' ? resultsOf(due, step.run) : [];
  if (!found) return step;
  const next = onOutcome(step.run, found, second(step.run.lastSeq));
  return inspected({ run: next.run, events: [...step.events, ...next.events] });
}

function apply(run: Run, input: Outcome | Signal): { run: Run; events: RunEvent[] } {
  const ts = second(run.lastSeq);
  if (!isSignal(input)) return onOutcome(run, input, ts);
  const result = onSignal(run, input, ts);
  if (!('refused' in result)) return result;
  if (!result.replacement) throw result.refused;
  return result.replacement;
}

/** The run's states for the names in `wanted`. */
function statesLike(run: Run, wanted: States): States {
  const pick = <S>(names: Record<string, S> | undefined, read: (name: string) => S | undefined) =>
    names && Object.fromEntries(Object.keys(names).map((name) => [name, read(name)]));
  const got = {
    run: wanted.run && run.state,
    phases: pick(wanted.phases, (key) => run.phases.find((phase) => phase.key === key)?.state),
    sessions: pick(wanted.sessions, (id) => run.sessions.find((session) => session.roleId === id)?.state),
    approvals: pick(wanted.approvals, (key) => run.approvals.findLast((approval) => approval.gateKey === key)?.state),
  };
  return Object.fromEntries(Object.entries(got).filter(([, value]) => value !== undefined)) as States;
}

/** The input as it is now, to be given later. */
export const now = ({ run }: Pick<Story, 'run'>, input: Input): Outcome | Signal => resolve(run, input);

/** The success of the due effect of this type. `nth` picks another result, `which` another effect of the type. */
export const done =
  (type: EffectType, nth = 0, which = 0): Input =>
  (run) => {
    const due = decide(run);
    const effect = due.filter((candidate) => candidate.type === type)[which];
    const outcome = effect && resultsOf(effect, run)[nth];
    if (!outcome) throw new TypeError(`${type} is not due; due are ${due.map((e) => e.type).join(', ') || 'none'}`);
    return outcome;
  };

/** The permanent failure of the due effect of this type. */
export const failed =
  (type: EffectType, code: ErrorCode): Input =>
  (run) => {
    const effect = decide(run).find((candidate) => candidate.type === type);
    if (!effect) throw new TypeError(`${type} is not due`);
    return { type: 'effectFailed', key: effect.key, error: errorRecord(code) };
  };

export const pause: Input = { type: 'pause', reason: 'lunch' };
export const resume: Input = { type: 'resume' };
export const abort: Input = { type: 'abort', reason: 'no longer wanted' };

/** A decision at the open gate. */
export const decision =
  (action: ApprovalDecisionAction, comment: string | null = null, clientToken = 'token'): Input =>
  (run) => {
    const approval = openGates(run)[0];
    if (!approval) throw new TypeError('no gate is open');
    return { type: 'decide', approvalRequestId: approval.id, action, comment, clientToken };
  };
export const approve = decision('approve');

/** The agent of this role died, or an effect on it failed. */
export const dies =
  (roleId: string): Input =>
  (run) => {
    const session = run.sessions.find((candidate) => candidate.roleId === roleId);
    const sessionId = session?.id ?? `no session of ${roleId}`;
    const recoveryAttempts = session?.recoveryAttempts;
    const error = errorRecord('pane_briefly_unresponsive');
    return { type: 'sessionLost', sessionId, error, ...(recoveryAttempts === undefined ? {} : { recoveryAttempts }) };
  };

/** The agent of this role stalls; with `null` its stall ends. */
export const stalls =
  (roleId: string, cause: StallCause | null, until: string | null = null): Input =>
  (run) => {
    const sessionId = run.sessions.find((candidate) => candidate.roleId === roleId)?.id ?? `no session of ${roleId}`;
    return { type: 'sessionStalled', sessionId, stall: cause && { cause, detail: `it is ${cause}`, until } };
  };

export const bound = done('lockBindings');
export const started = done('startSession');
export const sent = done('sendPrompt');
export const valid = done('awaitArtifact');
export const invalid = done('awaitArtifact', 1);
export const timedOut = done('awaitArtifact', 2);
export const recovered = done('recoverSession');
export const committed = done('commitWork');
export const commandOk = done('runCommand');
export const commandFails = done('runCommand', 1);
export const expired = done('expireApproval');

/** A ready session completes its phase without trouble. */
export const phaseDone: Input[] = [sent, valid, committed];
/** The first phase of a run, from its start to its gate or end. */
export const firstPhaseDone: Input[] = [bound, started, ...phaseDone];

import type { CommentAnswer } from '../../../schemas/comments/comment.ts';
import type { Binding } from '../../../schemas/definitions/persona.ts';
import type { PhaseKind, Recovery } from '../../../schemas/enums.ts';
import type { PromptEnvelope } from '../../../schemas/envelope.ts';
import type { ErrorRecord } from '../../../schemas/errors.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';
import type { EventPayload } from '../../../schemas/events/index.ts';
import type { MessageProof } from '../../../schemas/events/message.ts';
import type { CommittedWork } from '../../../schemas/events/phase.ts';
import type { Stall } from '../../../schemas/events/run.ts';
import type { CheckoutChange } from '../../../schemas/worktreeState.ts';
import type { OutcomeOfKind } from '../../kinds/effects.ts';
import type { RuleFacts } from '../run/approval.ts';
import type { Observed, WorktreeState } from '../run/worktreeState.ts';
import type { SetupOutcome } from './setupEffect.ts';

/** The result of an effect. A performer reports it and decides nothing. */
export type Outcome =
  /** `base`: the base commit of a run that waited for another one. */
  | { type: 'bindingsLocked'; bindings: Binding[]; branch: string; base?: string }
  | { type: 'sessionReady'; sessionId: string }
  /**
   * `recoveryAttempts` when the effect started, so that a death seen by an effect and by the watcher counts once. Absent if
   * the watcher reports it.
   */
  | { type: 'sessionLost'; sessionId: string; error: ErrorRecord; recoveryAttempts?: number }
  /**
   * `recoveryAttempts` when the effect started, so that a delivery to a replaced agent does not count. `takerEnded`: the
   * agent took the prompt and exited; the present program does not work on it.
   */
  | {
      type: 'promptDelivered';
      sessionId: string;
      recoveryAttempts: number;
      envelope: PromptEnvelope;
      promptId: string;
      repair: boolean;
      takerEnded?: boolean;
      /** Copies of approved artifacts that somebody changed and devflow restored. */
      changedInputs?: string[];
    }
  | {
      type: 'messageDelivered';
      messageId: string;
      sessionId: string;
      recoveryAttempts: number;
      promptId: string;
      proof: MessageProof;
      /** The program that took it has ended. */
      takerEnded?: boolean;
    }
  | {
      type: 'artifactFound';
      phaseId: string;
      roleId: string;
      path: string;
      schema: string;
      hash: string;
      verdict: Validation;
    }
  /** `key`: of the effect whose deadline passed. */
  | { type: 'artifactTimedOut'; key: string; phaseId: string; roleId: string; sessionId: string; path: string }
  /** The session's current stall, or null. */
  | { type: 'sessionStalled'; sessionId: string; stall: Stall | null }
  | { type: 'sessionRecovered'; sessionId: string; how: Recovery; hint?: string }
  | {
      type: 'workCommitted';
      phaseId: string;
      attempt: number;
      work: CommittedWork;
      worktree?: WorktreeState;
      /** In a lane: whose work it is, the tip of the lane, and the changed paths outside its write set. */
      part?: { assignment: string; head: string; outside: string[] };
      /** Changes in the person's checkout since the agent got its prompt. */
      checkout?: CheckoutChange;
    }
  | {
      type: 'worktreeRead';
      key: string;
      worktree: WorktreeState;
      /** The files found in the place of published ones. */
      drifts?: Omit<EventPayload<'contract.drifted'>, 'nth'>[];
    }
  | OutcomeOfKind[PhaseKind]
  | SetupOutcome
  | { type: 'artifactPublished'; phaseId: string; assignment: string; contract: string; path: string; sha256: string }
  /** Somebody else's file is in the place of the artifact. `drift`: what it is, if devflow's file should go back there. */
  | { type: 'publishingRefused'; phaseId: string; path: string; drift?: Omit<EventPayload<'contract.drifted'>, 'nth'> }
  /** The command did not start, because the worktree differs from what was approved. */
  | { type: 'worktreeMoved'; key: string; worktree: WorktreeState }
  | { type: 'commandEnded'; commandId: string; exitCode: number | null; ok: boolean; reason: string; tail?: string }
  /** `reason`: why some of the files are not in the branch. */
  | { type: 'filesDelivered'; commit: string | null; onto: string; ignored: string[]; reason?: string }
  /** The host of the run takes work again. */
  | { type: 'hostReturned' }
  | { type: 'ruleChecked'; key: string; approvalRequestId: string; facts: RuleFacts; observed: Observed }
  | { type: 'approvalExpired'; approvalRequestId: string; since: string }
  | { type: 'effectFailed'; key: string; error: ErrorRecord };

/** `data`: the parsed content, if the effect asked for it. */
export type Validation =
  | {
      valid: true;
      storedPath: string;
      title?: string;
      data?: unknown;
      warnings?: ValidationError[];
      answers?: CommentAnswer[];
    }
  | { valid: false; errors: ValidationError[] };

export type OutcomeOf<T extends Outcome['type']> = Extract<Outcome, { type: T }>;

/** An outcome that belongs to a phase and not to one of its assignments. */
export type PhaseOutcome = OutcomeOf<'workCommitted'> | OutcomeOfKind[PhaseKind];

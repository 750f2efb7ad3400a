import type { RunEvent } from '../../../schemas/events/index.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { closeHostGate } from '../gates/hostGate.ts';
import { stepApproval } from '../machines/approval.ts';
import { stepRun } from '../machines/run.ts';
import { acceptedHeads } from '../run/acceptedHeads.ts';
import { keepsFailuresLocal } from '../run/behaviour.ts';
import { closeApprovals, patchApproval, patchLane } from '../run/patch.ts';
import { isUndecided } from '../run/query.ts';
import type { Run } from '../run/state.ts';

type RunLevelEvent = Extract<
  RunEvent,
  {
    type:
      | 'run.started'
      | 'run.paused'
      | 'run.resumed'
      | 'run.completed'
      | 'run.failed'
      | 'run.aborted'
      | 'run.delivered'
      | 'run.applied'
      | 'run.ranked'
      | 'run.titled';
  }
>;

/** Run-level events, and what they do to gates. */
export function evolveRun(run: Run, event: RunLevelEvent): Run {
  switch (event.type) {
    case 'run.started':
      return {
        ...fromBase(closeHostGate(run, event.ts), event.payload.base),
        state: stepRun(run.state, 'bound'),
        bindings: event.payload.bindings,
        inputHash: event.payload.inputHash,
        branch: event.payload.branch || null,
        startedAt: event.ts,
      };
    case 'run.paused':
      return paused(run, event);
    case 'run.resumed':
      return resumed(run, event);
    case 'run.completed':
      return { ...run, state: stepRun(run.state, 'completed'), endedAt: event.ts };
    case 'run.failed':
      return {
        ...withoutOpenGates(run, event.ts),
        state: stepRun(run.state, 'failed'),
        pausedFrom: null,
        frozen: false,
        failure: { code: event.payload.code, reason: event.payload.reason, hint: event.payload.hint },
        endedAt: event.ts,
      };
    case 'run.aborted':
      return aborted(run, event.payload.reason, event.ts);
    case 'run.delivered':
      return delivered(run, event);
    case 'run.ranked': {
      const { nth, rank, release = run.rank?.isReleased ?? false } = event.payload;
      return { ...run, rank: { nth, rank, isReleased: release } };
    }
    case 'run.titled':
      return { ...run, agentTitle: event.payload.title };
    case 'run.applied':
      return { ...run, applied: [...run.applied, { ...event.payload, at: event.ts }] };
    default:
      return event satisfies never;
  }
}

/** A run that waited for another builds on the work of that one. */
export function fromBase(run: Run, base: string | undefined): Run {
  return base === undefined ? run : { ...patchLane(run, MAIN, () => ({ base })), baseCommit: base };
}

function paused(run: Run, { payload }: Extract<RunEvent, { type: 'run.paused' }>): Run {
  const { pausedFrom, approvalRequestId } = payload;
  // A run that waits at a recovery gate is shown as paused already.
  const state = run.state === 'paused' ? run.state : stepRun(run.state, 'paused');
  return patchApproval(
    { ...run, state, pausedFrom, pauses: run.pauses + 1, frozen: keepsFailuresLocal(run) },
    approvalRequestId,
    (approval) => ({ state: stepApproval(approval.state, 'paused') }),
  );
}

/** Restarts all deadlines: the time of a pause counts for none of them. */
function resumed(run: Run, event: Extract<RunEvent, { type: 'run.resumed' }>): Run {
  const phases = run.phases.map((phase) => ({
    ...phase,
    assignments: phase.assignments.map((assignment) => ({
      ...assignment,
      prompt: assignment.prompt && { ...assignment.prompt, since: event.ts },
    })),
  }));
  const next: Run = { ...run, phases, state: stepRun(run.state, event.payload.to), pausedFrom: null, frozen: false };
  return {
    ...next,
    approvals: next.approvals.map((approval) => {
      if (approval.state === 'paused') {
        return { ...approval, state: stepApproval(approval.state, 'pending'), pendingSince: event.ts };
      }
      return approval.state === 'pending' ? { ...approval, pendingSince: event.ts } : approval;
    }),
  };
}

function aborted(run: Run, reason: string, ts: string): Run {
  return {
    ...withoutOpenGates(run, ts),
    state: stepRun(run.state, 'aborted'),
    pausedFrom: null,
    frozen: false,
    failure: { code: 'aborted', reason },
    endedAt: ts,
  };
}

/** If nobody approved the commit below, `lastCommit` stays unchanged. */
function delivered(run: Run, { payload }: Extract<RunEvent, { type: 'run.delivered' }>): Run {
  const { commit, onto, ignored = [], reason = null } = payload;
  const isAccepted = acceptedHeads(run).some((head) => head.commit === onto);
  return {
    ...run,
    lastCommit: isAccepted && commit !== null ? commit : run.lastCommit,
    delivered: { commit: commit ?? onto, ignored, reason },
  };
}

/** Nobody decides them any more. */
function withoutOpenGates(run: Run, ts: string): Run {
  return closeApprovals(run, isUndecided, ts);
}

import { counted } from '../../../../schemas/counted.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import type { EventPayload, NewEvent } from '../../../../schemas/events/index.ts';
import { approvalId, approvalKey } from '../run/keys.ts';
import type { Approval, Run } from '../run/state.ts';
import { boundWorktree, isSameWorktree, type Observed, type WorktreeState } from '../run/worktreeState.ts';

/** Why devflow refuses an approval, and the gate that replaces the old one. */
export interface StaleApproval {
  events?: NewEvent[];
  refused: DevflowError;
}

/**
 * An approval is valid for what the gate showed. devflow refuses it if artifacts, branch or worktree changed since. For a
 * changed branch or worktree a new gate opens, so a gate is always open.
 */
export function refuseStaleApproval(run: Run, approval: Approval, observed: Observed): StaleApproval | undefined {
  if (observed.lostArtifacts.length > 0) return { refused: lostArtifact(run, observed) };
  const bound = boundWorktree(approval.subject);
  const { worktree: now, commits: between } = observed;
  if (!bound || !now || isSameWorktree(bound, now)) return undefined;
  const anew = replacementGate(run, approval, now);
  if (!anew) return undefined;
  const { approvalRequestId } = anew.payload as EventPayload<'approval.requested'>;
  const id = approvalRequestId.slice(0, 8);
  const commits = between.map((commit) => commit.slice(0, 12));
  const more = commits.length > 0 ? ` Commits that the gate did not show: ${commits.join(', ')}.` : '';
  const message = `${describeChange(bound, now)} while the gate ${approval.gateKey} waited.${more} devflow opened a new gate.`;
  const data = { approvalRequestId, superseded: approval.id, commits: between, files: now.files };
  const recoveryHint = `Look at what is there now and decide again: devflow approval show ${id}.`;
  return {
    events: [anew],
    refused: new DevflowError('changes_under_decision', message, { runId: run.id, recoveryHint, data }),
  };
}

function lostArtifact(run: Run, { lostArtifacts }: Observed): DevflowError {
  const message = `${lostArtifacts.join(', ')} changed after validation, and devflow has no unchanged copy.`;
  return new DevflowError('artifact_changed', message, { runId: run.id, data: { paths: lostArtifacts } });
}

/** The same gate for the present state. */
function replacementGate(run: Run, approval: Approval, worktree: WorktreeState): NewEvent | undefined {
  const phase = run.phases.find(({ id }) => id === approval.phaseId);
  if (!phase) return undefined;
  const { gateKey, kind, phaseKey, attempt, artifactHash, subject, timeoutMs } = approval;
  const key = approvalKey(run, phase, gateKey, artifactHash, worktree);
  const from = (subject.diff as { from?: string } | undefined)?.from ?? run.baseCommit;
  const to = worktree.head === run.baseCommit ? null : worktree.head;
  return {
    type: 'approval.requested',
    phaseId: phase.id,
    payload: {
      approvalRequestId: approvalId(key),
      approvalKey: key,
      gateKey,
      kind,
      phaseKey,
      attempt,
      artifactHash,
      subject: { ...subject, diff: { from, to }, worktree, supersedes: [approval.id] },
      timeoutMs,
    },
  };
}

/** The difference, as the beginning of a sentence. */
export function describeChange(before: WorktreeState | null, now: WorktreeState): string {
  if (before && before.head !== now.head) {
    return `The branch moved from ${before.head.slice(0, 12)} to ${now.head.slice(0, 12)}`;
  }
  const count = now.files.length;
  if (count === 0) return 'Uncommitted changes of the worktree went away';
  return `${counted(count, 'uncommitted file')} of the worktree changed`;
}

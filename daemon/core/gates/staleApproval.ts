import { DevflowError } from '../../../schemas/errors.ts';
import type { EventPayload, NewEvent } from '../../../schemas/events/index.ts';
import { confirmedAt, isConfirmingEdit } from '../run/boundary.ts';
import { approvalKey } from '../run/keys.ts';
import type { Approval, Run } from '../run/state.ts';
import {
  boundWorktree,
  describeChange,
  isSameWorktree,
  type Observed,
  type WorktreeState,
} from '../run/worktreeState.ts';
import { requestApproval } from './requestApproval.ts';

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
  if (!bound || !now || isSameWorktree(bound, now) || isConfirmingEdit(run, approval, now)) return undefined;
  const replacement = replacementGate(run, approval, now);
  if (!replacement) return undefined;
  const { approvalRequestId } = replacement.payload as EventPayload<'approval.requested'>;
  const id = approvalRequestId.slice(0, 8);
  const commits = between.map((commit) => commit.slice(0, 12));
  const more = commits.length > 0 ? ` Commits that the gate did not show: ${commits.join(', ')}.` : '';
  const message = `${describeChange(run, bound, now)} while the gate ${approval.gateKey} waited.${more} devflow opened a new gate.`;
  const data = { approvalRequestId, superseded: approval.id, commits: between, files: now.files };
  const recoveryHint = `Review the new state and decide again: devflow approval show ${id}.`;
  return {
    events: [replacement],
    refused: new DevflowError('changes_under_decision', message, { runId: run.id, recoveryHint, data }),
  };
}

/** The gate asks for a person's word in a file, and not only for a key. */
export function refuseUnconfirmed(run: Run, approval: Approval): DevflowError {
  const { path, key } = confirmedAt(approval) ?? { path: '', key: '' };
  const message = `Nobody has confirmed ${path}: ${key} is not true there.`;
  const recoveryHint = `Read ${run.worktreeRoot}/${path}, set ${key}: true there, and decide again.`;
  return new DevflowError('autodev_transition', message, { runId: run.id, recoveryHint });
}

function lostArtifact(run: Run, { lostArtifacts }: Observed): DevflowError {
  const message = `${lostArtifacts.join(', ')} changed after validation, and devflow has no unchanged copy.`;
  return new DevflowError('artifact_changed', message, { runId: run.id, data: { paths: lostArtifacts } });
}

/** The same gate, bound to the present state. */
function replacementGate(run: Run, approval: Approval, worktree: WorktreeState): NewEvent | undefined {
  const phase = run.phases.find(({ id }) => id === approval.phaseId);
  if (!phase) return undefined;
  const { gateKey, kind, phaseKey, attempt, artifactHash, subject, timeoutMs } = approval;
  const key = approvalKey(run, phase, gateKey, artifactHash, { worktree });
  const from = (subject.diff as { from?: string } | undefined)?.from ?? run.baseCommit;
  const to = worktree.head === run.baseCommit ? null : worktree.head;
  return requestApproval(phase.id, {
    approvalKey: key,
    gateKey,
    kind,
    phaseKey,
    attempt,
    artifactHash,
    subject: { ...subject, diff: { from, to }, worktree, supersedes: [approval.id] },
    timeoutMs,
  });
}

import { defined } from '../../../schemas/defined.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import { shownHash } from '../../../schemas/gates/shownHash.ts';
import { hash as hashOf } from '../../../schemas/hash.ts';
import { requestApproval } from '../gates/requestApproval.ts';
import { tooLate } from '../gates/tooLate.ts';
import { approvalKey, artifactId } from '../run/keys.ts';
import type { Approval, Run } from '../run/state.ts';
import { boundWorktree } from '../run/worktreeState.ts';
import { type Editable, editableAt, shownArtifacts } from './editable.ts';

/** A person's own version of a document that a gate shows. Its bytes are checked and stored already. */
export interface Edit {
  approvalRequestId: string;
  /** The hash of the version that the person was shown. */
  replaces: string;
  clientToken: string;
  /** The hash of everything that the person was shown. */
  shown?: string;
  document: { hash: string; storedPath: string; title?: string; data?: unknown };
}

/**
 * The event of an edit, and the same gate again, bound to the new bytes. A decision holds for what a gate showed, so the edit
 * approves nothing. A repeated token changes nothing.
 */
export function editDocument(run: Run, edit: Edit): NewEvent[] | DevflowError {
  const { approvalRequestId, replaces, clientToken, document } = edit;
  const approval = run.approvals.find(({ id }) => id === approvalRequestId);
  if (!approval) return new DevflowError('not_found', `There is no approval ${approvalRequestId}.`);
  if (editWith(run, { approvalRequestId, clientToken })) return [];
  if (approval.state !== 'pending') return tooLate(run, approval, 'request_changes', clientToken);
  const found = editableNamed(run, approval, replaces);
  if (found instanceof DevflowError) return found;
  if (edit.shown !== undefined && edit.shown !== shownHash(approval)) return otherShown(run, approval);
  const { artifact, assignment, phase } = found;
  const { hash, storedPath, title, data } = document;
  if (hash === artifact.hash) return [];
  const edited: NewEvent = {
    type: 'artifact.edited',
    phaseId: phase.id,
    payload: {
      approvalRequestId,
      clientToken,
      replaces,
      artifactId: artifactId(run.id, artifact.path, hash),
      roleId: artifact.roleId,
      ...defined({ assignment: assignment.key === artifact.roleId ? undefined : assignment.key }),
      attempt: artifact.attempt,
      path: artifact.path,
      storedPath,
      schema: artifact.schema,
      hash,
      ...defined({ title, data }),
    },
  };
  return [edited, gateAgain(run, approval, { path: artifact.path, replaces, hash, storedPath })];
}

/** The document of this hash at a gate, or why nobody edits it there. */
export function editableNamed(run: Run, approval: Approval, hash: string): Editable | DevflowError {
  const about = { runId: run.id, data: { approvalRequestId: approval.id } };
  const found = editableAt(run, approval);
  if (typeof found === 'string') return new DevflowError('not_editable', found, about);
  const named = found.find(({ artifact }) => artifact.hash === hash);
  return named ?? otherShown(run, approval);
}

/** The edit that this token made at a gate before. */
export function editWith(
  { artifacts }: Run,
  { approvalRequestId, clientToken }: Pick<Edit, 'approvalRequestId' | 'clientToken'>,
) {
  return artifacts.find(
    ({ edited }) => edited?.approvalRequestId === approvalRequestId && edited.clientToken === clientToken,
  );
}

function otherShown(run: Run, { id, gateKey }: Approval): DevflowError {
  const message = `The gate ${gateKey} shows another version of this document.`;
  return new DevflowError('changes_under_decision', message, { runId: run.id, data: { approvalRequestId: id } });
}

/** The same gate, bound to the person's version. */
function gateAgain(
  run: Run,
  approval: Approval,
  { path, replaces, hash, storedPath }: { path: string; replaces: string; hash: string; storedPath: string },
): NewEvent {
  const { gateKey, kind, phaseKey, attempt, subject, timeoutMs, phaseId } = approval;
  const artifacts = shownArtifacts(approval).map((each) =>
    each.path === path && each.hash === replaces ? { ...each, hash, storedPath } : each,
  );
  const hashes = artifacts.map((each) => each.hash);
  const artifactHash = hashes.length <= 1 ? (hashes[0] ?? null) : hashOf(hashes);
  const phase = run.phases.find(({ id }) => id === phaseId);
  if (!phase) throw new TypeError(`gate ${approval.id} belongs to no phase of run ${run.id}`);
  // Who edits back and forth comes to the same bytes again, and that is another gate.
  const nth = run.approvals.length;
  const worktree = boundWorktree(subject);
  return requestApproval(phase.id, {
    approvalKey: approvalKey(run, phase, gateKey, artifactHash, { nth, ...defined({ worktree }) }),
    gateKey,
    kind,
    phaseKey,
    attempt,
    artifactHash,
    subject: { ...subject, artifacts, supersedes: [approval.id] },
    timeoutMs,
  });
}

import { counted } from '../../../../schemas/counted.ts';
import type { NewEvent } from '../../../../schemas/events/index.ts';
import { hash } from '../../../../schemas/hash.ts';
import type { Run } from '../run/state.ts';
import { requestApproval } from './requestApproval.ts';

/** A request to remove a worktree of an ended run that has uncommitted work. */
export interface CleanupRequest {
  lane: string;
  path: string;
  files: string[];
  /** The decision is bound to these files: other files need another gate. */
  filesHash: string;
}

/** Removing uncommitted work needs a separate decision. It does not change the state of the ended run. */
export function cleanupGate(run: Run, { lane, path, files, filesHash }: CleanupRequest): NewEvent {
  const asked = run.approvals.filter((approval) => approval.kind === 'cleanup').length;
  const gateKey = 'cleanup_forced';
  const key = hash({ runId: run.id, gateKey, lane, filesHash, asked });
  // A gate about other files would wait for ever, so this one replaces it.
  const supersedes = run.approvals
    .filter(({ kind, state, phaseKey }) => kind === 'cleanup' && state === 'pending' && phaseKey === lane)
    .map(({ id }) => id);
  const count = counted(files.length, 'uncommitted file');
  const reason = `The worktree ${path} has ${count}.`;
  return requestApproval(null, {
    approvalKey: key,
    gateKey,
    kind: 'cleanup',
    phaseKey: lane,
    attempt: asked + 1,
    artifactHash: filesHash,
    subject: { reason, lane, path, files, supersedes },
    timeoutMs: null,
  });
}

/** True while a gate about exactly these files is pending. */
export function isAsked(run: Run, { lane, filesHash }: CleanupRequest): boolean {
  return run.approvals.some(
    ({ kind, state, phaseKey, artifactHash }) =>
      kind === 'cleanup' && state === 'pending' && phaseKey === lane && artifactHash === filesHash,
  );
}

import type { NewEvent } from '../../../schemas/events/index.ts';
import { GATE_FACTS } from '../../../schemas/gates/gateKinds.ts';
import { hash } from '../../../schemas/hash.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Approval, Run } from '../run/state.ts';
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
  const { gateKey } = GATE_FACTS.cleanup;
  const key = hash({ runId: run.id, gateKey, lane, filesHash, asked });
  // A gate about other files would wait for ever, so this one replaces it.
  const supersedes = cleanupGates(run, lane)
    .filter(({ state }) => state === 'pending')
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
  return cleanupGates(run, lane).some(({ state, artifactHash }) => state === 'pending' && artifactHash === filesHash);
}

/** The gates about the worktree of a lane, oldest first. */
export function cleanupGates({ approvals }: Run, lane: string): Approval[] {
  return approvals.filter(({ kind, phaseKey }) => kind === 'cleanup' && phaseKey === lane);
}

import { defined } from '../../../schemas/defined.ts';
import { hash } from '../../../schemas/hash.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { Approval, Assignment, Phase, Run } from './state.ts';
import type { WorktreeState } from './worktreeState.ts';

/** Ids and keys inside a run. All are derived, so the same state gives the same names under any interpreter. */

export const phaseId = (runId: string, phaseKey: string) => derivedId('phase', runId, phaseKey);
/** A role instance has one session in each lane. */
export const sessionId = (runId: string, roleId: string, laneId: string) =>
  laneId === MAIN ? derivedId('session', runId, roleId) : derivedId('session', runId, roleId, laneId);
export const commandId = (phase: Phase, index: number) => derivedId('command', phase.id, phase.attempts, index);
export const laneCommandId = (phase: Phase, laneId: string, turn: number, index: number) =>
  derivedId('command', phase.id, laneId, turn, index);
export const artifactId = (runId: string, path: string, contentHash: string) =>
  derivedId('artifact', runId, path, contentHash);
export const promptUuid = (dedupKey: string) => derivedId('prompt', dedupKey);
export const decisionId = (approvalRequestId: string, clientToken: string) =>
  derivedId('decision', approvalRequestId, clientToken);

/** Binds a gate to the attempt of its phase, or of one assignment, and to the bytes that it shows. */
export function approvalKey(
  run: Run,
  phase: Phase,
  gateKey: string,
  artifactHash: string | null,
  about: {
    worktree?: WorktreeState;
    assignment?: Pick<Assignment, 'key' | 'attempt'>;
    laneId?: string;
    nth?: number;
  } = {},
): string {
  const { worktree, assignment, laneId, nth } = about;
  const bound = { runId: run.id, gateKey, phaseKey: phase.key, attempt: phase.attempts, artifactHash };
  const subject = {
    ...bound,
    ...defined({ ...(assignment && { assignment: assignment.key, attempt: assignment.attempt }), nth }),
    ...(laneId ? { laneId, asked: run.approvals.filter((gate) => gate.laneId === laneId).length } : {}),
  };
  if (!worktree) return hash(subject);
  const { head, tree, uncommitted } = worktree;
  // The worktree can change and change back, so the same commit can need another gate.
  const asked = run.approvals.filter((gate) => isAskedAt(gate, phase, gateKey)).length;
  return hash({ ...subject, head, tree, uncommitted, asked });
}

function isAskedAt(approval: Approval, phase: Phase, gateKey: string): boolean {
  return approval.phaseId === phase.id && approval.gateKey === gateKey && approval.attempt === phase.attempts;
}

export const approvalId = (key: string) => derivedId('approval', key);

/** `approval_decisions.idempotency_key`: one decision for each token at a gate. */
export const decisionKey = (approval: Approval, clientToken: string) => `${approval.id}:${clientToken}`;

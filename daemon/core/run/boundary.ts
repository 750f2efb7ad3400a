import { boundaryAfter, type Confirmation, confirmedAfter } from '../../../schemas/contracts/autodev/nextStep.ts';
import { defined } from '../../../schemas/defined.ts';
import type { ApprovalDecisionAction } from '../../../schemas/enums.ts';
import type { OwnGate } from '../../../schemas/gates/ownGates.ts';
import { bindsBoundary, needsConfirmation } from './behaviour.ts';
import type { Approval, Phase, Run } from './state.ts';
import { boundWorktree, isSameWorktree, type WorktreeState } from './worktreeState.ts';

export const BOUNDARY = 'session_boundary' satisfies OwnGate;

/** True if a person decides in which conversation the phase after this one begins. */
export function hasBoundaryAfter({ template, phases }: Run, { seq }: Pick<Phase, 'seq'>): boolean {
  if (template.exchange !== 'autodev') return false;
  const next = phases.find((phase) => phase.seq === seq + 1);
  return template.phases.find(({ key }) => key === next?.key)?.sessionBoundary ?? false;
}

/** The subject of the gate. It has the question in the words of all flows, and what a person must confirm first. */
export function boundarySubject(run: Run, { id }: Pick<Phase, 'id'>): Record<string, unknown> {
  const { flow } = run.template;
  if (!flow) return {};
  const step = run.phases.findIndex((phase) => phase.id === id) + 1;
  const boundary = boundaryAfter({ flow, step }) ?? undefined;
  const confirms = needsConfirmation(run) ? confirmedAfter({ flow, step }) : undefined;
  return defined({ boundary, confirms });
}

/** A person must confirm this in the worktree before the gate is passed; undefined: nothing. */
export function confirmedAt({ subject }: Pick<Approval, 'subject'>): Confirmation | undefined {
  return subject.confirms as Confirmation | undefined;
}

/** True if the run continues with what the gate shows. At a session boundary, `request_changes` continues it, too. */
export function passesGate({ gateKey }: Pick<Approval, 'gateKey'>, action: ApprovalDecisionAction): boolean {
  return action === 'approve' || (gateKey === BOUNDARY && action === 'request_changes');
}

/** True if only the file that the gate asks a person to edit changed since it opened. */
export function isConfirmingEdit(run: Run, approval: Pick<Approval, 'subject'>, now: WorktreeState): boolean {
  const bound = boundWorktree(approval.subject);
  const path = confirmedAt(approval)?.path;
  if (!bindsBoundary(run) || !bound || path === undefined || bound.head !== now.head) return false;
  return [...bound.files, ...now.files].every((file) => file === path);
}

/** The state that a decision is about, where the edit came after the gate had opened. */
export function editedWorktree(run: Run, approval: Approval, now?: WorktreeState): { worktree?: WorktreeState } {
  const bound = boundWorktree(approval.subject);
  if (!now || !bound || isSameWorktree(bound, now)) return {};
  return isConfirmingEdit(run, approval, now) ? { worktree: now } : {};
}

/** True if a person wants the phase to begin in the conversation of the phase before it. */
export function continuesConversation({ approvals, phases }: Run, { seq }: Phase): boolean {
  const before = phases.find((phase) => phase.seq === seq - 1);
  const gate = approvals.findLast(({ gateKey, phaseId }) => gateKey === BOUNDARY && phaseId === before?.id);
  return gate?.decision?.action === 'request_changes';
}

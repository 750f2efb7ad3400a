import { boundaryAfter } from '../../../../schemas/contracts/autodev/nextStep.ts';
import type { OwnGate } from '../../../../schemas/ownGates.ts';
import type { Phase, Run } from './state.ts';

export const BOUNDARY = 'session_boundary' satisfies OwnGate;

/** Whether a person decides in which conversation the phase after this one begins. */
export function hasBoundaryAfter({ template, phases }: Run, { seq }: Pick<Phase, 'seq'>): boolean {
  if (template.exchange !== 'autodev') return false;
  const next = phases.find((phase) => phase.seq === seq + 1);
  return template.phases.find(({ key }) => key === next?.key)?.sessionBoundary ?? false;
}

/** What the gate shows: the question in the words that all flows share. */
export function boundarySubject(
  { template: { flow }, phases }: Run,
  { id }: Pick<Phase, 'id'>,
): Record<string, unknown> {
  const step = phases.findIndex((phase) => phase.id === id) + 1;
  const boundary = flow ? boundaryAfter({ flow, step }) : null;
  return boundary ? { boundary } : {};
}

/** Whether a person wants the phase to begin in the conversation of the phase before it. */
export function continuesConversation({ approvals, phases }: Run, { seq }: Phase): boolean {
  const before = phases.find((phase) => phase.seq === seq - 1);
  const gate = approvals.findLast(({ gateKey, phaseId }) => gateKey === BOUNDARY && phaseId === before?.id);
  return gate?.decision?.action === 'request_changes';
}

import { boundaryAfter, type Confirmation, confirmedAfter } from '../../../../schemas/contracts/autodev/nextStep.ts';
import type { OwnGate } from '../../../../schemas/ownGates.ts';
import { needsConfirmation } from './behaviour.ts';
import type { Approval, Phase, Run } from './state.ts';

export const BOUNDARY = 'session_boundary' satisfies OwnGate;

/** Whether a person decides in which conversation the phase after this one begins. */
export function hasBoundaryAfter({ template, phases }: Run, { seq }: Pick<Phase, 'seq'>): boolean {
  if (template.exchange !== 'autodev') return false;
  const next = phases.find((phase) => phase.seq === seq + 1);
  return template.phases.find(({ key }) => key === next?.key)?.sessionBoundary ?? false;
}

/** What the gate shows: the question in the words that all flows share, and what a person must confirm first. */
export function boundarySubject(run: Run, { id }: Pick<Phase, 'id'>): Record<string, unknown> {
  const { flow } = run.template;
  if (!flow) return {};
  const step = run.phases.findIndex((phase) => phase.id === id) + 1;
  const boundary = boundaryAfter({ flow, step });
  const confirms = needsConfirmation(run) ? confirmedAfter({ flow, step }) : undefined;
  return { ...(boundary ? { boundary } : {}), ...(confirms ? { confirms } : {}) };
}

/** What a person must confirm in the worktree before the gate is passed; undefined if nothing. */
export function confirmedAt({ subject }: Pick<Approval, 'subject'>): Confirmation | undefined {
  return subject.confirms as Confirmation | undefined;
}

/** Whether a person wants the phase to begin in the conversation of the phase before it. */
export function continuesConversation({ approvals, phases }: Run, { seq }: Phase): boolean {
  const before = phases.find((phase) => phase.seq === seq - 1);
  const gate = approvals.findLast(({ gateKey, phaseId }) => gateKey === BOUNDARY && phaseId === before?.id);
  return gate?.decision?.action === 'request_changes';
}

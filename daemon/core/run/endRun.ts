import { CATALOGUE, type ErrorRecord } from '../../../schemas/errors.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import { currentPhase } from './query.ts';
import type { Approval, Phase, Run } from './state.ts';

/** Aborts the run with its running commands and its open phase. `evolve` closes the open gates. */
export function abortRun(run: Run, reason: string): NewEvent[] {
  const phase = currentPhase(run);
  const isOpen = phase && phase.state !== 'pending' && phase.endedAt === null;
  return [
    ...closeCommands(run, 'the run was aborted'),
    ...(isOpen ? [failPhase(phase, 'aborted', reason)] : []),
    { type: 'run.aborted', phaseId: null, payload: { reason } },
  ];
}

/** Fails the run with its running commands and its open phase. */
export function failRun(run: Run, phase: Phase | undefined, { code, message: reason, hint }: ErrorRecord): NewEvent[] {
  return [
    ...closeCommands(run, reason),
    ...(phase ? [failPhase(phase, code, reason)] : []),
    { type: 'run.failed', phaseId: null, payload: { code, class: CATALOGUE[code].class, reason, hint } },
  ];
}

function failPhase(phase: Phase, code: ErrorRecord['code'] | 'aborted', reason: string): NewEvent {
  const payload = { attempt: phase.attempts, code, reason, sessionIds: [] };
  return { type: 'phase.failed', phaseId: phase.id, payload };
}

/** Ends every running command, or this one, because its attempt or its run ends. */
export function closeCommands(run: Run, reason: string, commandId?: string): NewEvent[] {
  return run.commands
    .filter(({ id, state }) => state === 'started' && (commandId === undefined || id === commandId))
    .map((command) => ({
      type: 'command.failed',
      phaseId: command.phaseId,
      payload: { commandId: command.id, exitCode: null, reason },
    }));
}

/** The failure of a run whose gate a person rejected. */
export function rejection(approval: Approval, comment: string | null) {
  const code = approval.gateKey === 'review_dispute' ? 'review_dispute_unresolved' : 'gate_rejected';
  const message = `The gate ${approval.gateKey} was rejected${comment ? `: ${comment}` : '.'}`;
  return { code, class: CATALOGUE[code].class, message, hint: CATALOGUE[code].hint } as const;
}

import type { ErrorRecord } from '../../../schemas/errors.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import { HOST_GATE } from '../../../schemas/gates/ownGates.ts';
import { approvalKey } from '../run/keys.ts';
import { closeApprovals } from '../run/patch.ts';
import { currentPhase, isFrozen, openGates } from '../run/query.ts';
import type { Approval, Run } from '../run/state.ts';
import { requestApproval } from './requestApproval.ts';

/** The open gate about the run's host; undefined while the host takes work. */
export function openHostGate(run: Run): Approval | undefined {
  return openGates(run).find(({ gateKey }) => gateKey === HOST_GATE);
}

/**
 * Asks a person about a run whose host takes no work. Nothing fails: the gate holds the phase, and with the gate withdrawn the
 * same effects are wanted again.
 */
export function hostSilent(run: Run, { code, message: reason, hint: recoveryHint }: ErrorRecord): NewEvent[] {
  const phase = currentPhase(run);
  if (!phase || isFrozen(run) || openHostGate(run)) return [];
  const nth = run.approvals.filter(({ gateKey }) => gateKey === HOST_GATE).length + 1;
  const gate = requestApproval(phase.id, {
    approvalKey: approvalKey(run, phase, HOST_GATE, null, { nth }),
    gateKey: HOST_GATE,
    kind: 'recovery',
    phaseKey: phase.key,
    attempt: Math.max(1, phase.attempts),
    artifactHash: null,
    subject: { code, reason, recoveryHint },
    timeoutMs: null,
  });
  return [gate];
}

/** The run went on although the gate was open. So its host takes work, or the gate holds nothing any more. */
export function closeHostGate(run: Run, ts: string): Run {
  const gate = openHostGate(run);
  return gate ? closeApprovals(run, ({ id }) => id === gate.id, ts) : run;
}

/** Withdraws the gate. */
export function hostReturned(run: Run): NewEvent[] {
  const gate = openHostGate(run);
  if (!gate) return [];
  const payload = { approvalRequestId: gate.id, reason: 'the host takes work again' };
  return [{ type: 'approval.withdrawn', phaseId: gate.phaseId, payload }];
}

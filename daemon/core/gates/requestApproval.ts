import type { EventPayload, NewEvent } from '../../../schemas/events/index.ts';
import { approvalId } from '../run/keys.ts';

/** The event that opens a gate. The gate's id derives from its key, so one key opens one gate. */
export function requestApproval(
  phaseId: string | null,
  gate: Omit<EventPayload<'approval.requested'>, 'approvalRequestId'>,
): NewEvent {
  return {
    type: 'approval.requested',
    phaseId,
    payload: { approvalRequestId: approvalId(gate.approvalKey), ...gate },
  };
}

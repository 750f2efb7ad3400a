import type { DeliveryPorts } from './delivery.ts';

/** Resolves prompts that another process began and that nobody still sends. A doubtful one stays with the person. */
export function settleOthers(uuid: string, { ledger, hooked, conversationHas }: DeliveryPorts): void {
  for (const { uuid: other, dedupKey, pid, state } of ledger.unsettled()) {
    if (other === uuid) continue;
    const isTaken = hooked(other) || conversationHas(other) === true;
    if (isTaken) ledger.note({ uuid: other, dedupKey, pid, state: 'acknowledged', by: 'seen later' });
    else if (state !== 'uncertain')
      ledger.note({ uuid: other, dedupKey, pid, state: 'failed', reason: 'another prompt came first' });
  }
}

import type { DeliveryPorts } from './deliveryPorts.ts';

type Ports = Pick<DeliveryPorts, 'ledger' | 'hooked' | 'conversationHas'>;

/**
 * Records which unsettled prompts the last program took, before another one replaces it: the next one may have another
 * conversation, and then nothing could say so.
 */
export function settleTaken({ ledger, hooked, conversationHas }: Ports, except?: string): void {
  for (const { uuid, dedupKey, pid } of ledger.unsettled()) {
    const isTaken = uuid !== except && (hooked(uuid) || conversationHas(uuid) === true);
    if (isTaken) ledger.note({ uuid, dedupKey, pid, state: 'acknowledged', by: 'seen later' });
  }
}

/** Resolves prompts that another process began and that nobody still sends. A doubtful one stays with the person. */
export function settleOthers(uuid: string, ports: Ports): void {
  settleTaken(ports, uuid);
  const { ledger } = ports;
  for (const { uuid: other, dedupKey, pid, state } of ledger.unsettled()) {
    if (other === uuid || state === 'uncertain') continue;
    ledger.note({ uuid: other, dedupKey, pid, state: 'failed', reason: 'another prompt came first' });
  }
}

import type { DeliveryPorts, Prompt } from './deliveryPorts.ts';
import type { LedgerLine } from './ledger.ts';

/** Why a prompt counts as taken, as the ledger records it. */
export const PROOF = {
  hook: 'a hook reported it',
  conversation: 'its conversation contains it',
  turn: 'a turn began after Enter',
} as const;

/** Whether the program itself has said that it has the prompt. */
export function isSeen({ state, by }: Pick<LedgerLine, 'state' | 'by'>): boolean {
  return state === 'acknowledged' && (by === PROOF.hook || by === PROOF.conversation);
}

export function hookProof({ uuid }: Pick<Prompt, 'uuid'>, ports: Pick<DeliveryPorts, 'hooked'>): string | undefined {
  return ports.hooked(uuid) ? PROOF.hook : undefined;
}

export function conversationProof(
  { uuid }: Pick<Prompt, 'uuid'>,
  ports: Pick<DeliveryPorts, 'conversationHas'>,
): string | undefined {
  return ports.conversationHas(uuid) ? PROOF.conversation : undefined;
}

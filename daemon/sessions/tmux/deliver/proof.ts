import type { DeliveryPorts, Prompt } from './deliveryPorts.ts';

/** Why a prompt counts as taken, as the ledger records it. */
export const PROOF = {
  hook: 'a hook reported it',
  conversation: 'its conversation contains it',
  turn: 'a turn began after Enter',
} as const;

export function hookProof({ uuid }: Pick<Prompt, 'uuid'>, ports: Pick<DeliveryPorts, 'hooked'>): string | undefined {
  return ports.hooked(uuid) ? PROOF.hook : undefined;
}

export function conversationProof(
  { uuid }: Pick<Prompt, 'uuid'>,
  ports: Pick<DeliveryPorts, 'conversationHas'>,
): string | undefined {
  return ports.conversationHas(uuid) ? PROOF.conversation : undefined;
}

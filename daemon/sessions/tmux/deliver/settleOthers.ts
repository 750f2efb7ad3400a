import { join } from 'node:path';
import type { HookEvents } from '../observe/hookEvents.ts';
import { readHooks, removeHooks } from '../observe/hookFiles.ts';
import { HOOK_DIRECTORY } from '../observe/hookScript.ts';
import type { DeliveryPorts } from './deliveryPorts.ts';
import { PROOF } from './ledger.ts';

type Ports = Pick<DeliveryPorts, 'ledger' | 'hooked' | 'conversationHas'>;

/**
 * Settles the prompts of a program that has ended. Records which ones it took, and which ones it certainly did not. Call it
 * before the next program starts: afterwards nothing says so. Its hooks go, because they name its conversation.
 */
export function settleEnded(
  sessionDir: string,
  { ledger, hookEvents, conversationHas }: Pick<Ports, 'ledger' | 'conversationHas'> & { hookEvents: HookEvents },
): void {
  // Its hooks may have left them while no daemon was there to read them.
  const directory = join(sessionDir, HOOK_DIRECTORY);
  for (const event of readHooks(directory)) hookEvents.take(event);
  settleTaken({ ledger, hooked: hookEvents.showed, conversationHas });
  for (const { uuid, dedupKey, pid, state, message } of ledger.unsettled()) {
    if (state !== 'submitted' || conversationHas(uuid) !== false) continue;
    ledger.note({ uuid, dedupKey, pid, state: 'failed', message, reason: 'its program ended without it' });
  }
  removeHooks(directory);
}

function settleTaken({ ledger, hooked, conversationHas }: Ports, except?: string): void {
  for (const { uuid, dedupKey, pid, message } of ledger.unsettled()) {
    const isTaken = uuid !== except && (hooked(uuid) || conversationHas(uuid) === true);
    if (isTaken) ledger.note({ uuid, dedupKey, pid, state: 'acknowledged', message, by: PROOF.later });
  }
}

/**
 * Resolves prompts that another process began and that nobody still sends. A doubtful one stays with the person; so does a
 * message after Enter, which would be sent again.
 */
export function settleOthers(uuid: string, ports: Ports): void {
  settleTaken(ports, uuid);
  const { ledger } = ports;
  for (const { uuid: other, dedupKey, pid, state, message } of ledger.unsettled()) {
    if (other === uuid || state === 'uncertain') continue;
    const next = message && state === 'submitted' ? 'uncertain' : 'failed';
    ledger.note({ uuid: other, dedupKey, pid, state: next, message, reason: 'another prompt came first' });
  }
}

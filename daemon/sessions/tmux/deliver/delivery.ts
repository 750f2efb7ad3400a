import { conversationProof, type DeliveryPorts, hookProof, noteState, type Prompt } from './deliveryPorts.ts';
import { nextStep } from './nextStep.ts';
import { clear, enter, paste } from './typePrompt.ts';

/** `uncertain`: the agent may have taken it, and only a person can say so. */
export type Delivered = { taken: true; by: string } | { taken: false; reason: string; uncertain?: true };

/**
 * Delivers one prompt, and continues where an earlier try stopped. Throws what the signal or tmux throws. `giveUp` ends it
 * only while nothing is typed.
 */
export async function deliver(
  prompt: Prompt,
  ports: DeliveryPorts,
  signal: AbortSignal,
  giveUp?: AbortSignal,
): Promise<Delivered> {
  const { observer, profile, ledger } = ports;
  const tries = { pastes: 0, enters: 0 };
  let isShown = false;
  const known = ledger.of(prompt.uuid);
  if (known === undefined) noteState(prompt, ports, 'queued');
  else {
    const by = proofOf(prompt, ports);
    if (by !== undefined) return acknowledge(prompt, ports, by);
    if (known.state === 'uncertain') return { taken: false, reason: known.reason ?? UNSEEN, uncertain: true };
    // The program that Enter was pressed in has ended, and its record did not settle it.
    if (known.state === 'submitted' && !ledger.isWith(prompt.uuid, ports)) return leaveUncertain(prompt, ports, ENDED);
  }
  ports.at('queued');
  for (;;) {
    const step = await nextStep(prompt, ports, { signal, giveUp }, isShown);
    switch (step.do) {
      case 'done':
        return acknowledge(prompt, ports, step.by);
      case 'wait':
        return stop(prompt, ports, `timed out: ${step.for}`);
      case 'fail':
        return stop(prompt, ports, step.reason);
      case 'ask a person':
        return leaveUncertain(prompt, ports, UNSEEN);
      case 'clear':
        await clear(ports);
        break;
      case 'paste': {
        if (tries.pastes > 0) return fail(prompt, ports, 'its paste is gone');
        const pasted = await paste(prompt, ports, { signal, giveUp });
        if (pasted !== 'refused') tries.pastes += 1;
        isShown = pasted === 'shown';
        break;
      }
      case 'enter': {
        if (tries.enters++ >= profile.timings.enters) return fail(prompt, ports, 'Enter has no effect');
        const by = await enter(prompt, ports, signal, tries.enters);
        if (by !== undefined) return acknowledge(prompt, ports, by);
        break;
      }
      default:
        step satisfies never;
    }
    observer.changes.notify();
  }
}

const UNSEEN = 'it left the composer, and no sign says that the agent took it';
const ENDED = 'its program ended after devflow pressed Enter, and no sign says that it took the prompt';

function proofOf(prompt: Prompt, ports: DeliveryPorts): string | undefined {
  ports.observer.lookAtHooks();
  return hookProof(prompt, ports) ?? conversationProof(prompt, ports);
}

/** Without a proof, a submitted prompt stays open. After a restart of the agent, devflow asks a person. */
function stop(prompt: Prompt, ports: DeliveryPorts, reason: string): Delivered {
  const isSent = ports.ledger.typed(prompt.uuid, ports)?.state === 'submitted';
  if (!isSent || ports.conversationHas(prompt.uuid) !== undefined) return fail(prompt, ports, reason);
  const by = proofOf(prompt, ports);
  return by === undefined ? { taken: false, reason } : acknowledge(prompt, ports, by);
}

/** The agent does not have it, and may get it again. */
function fail(prompt: Prompt, ports: DeliveryPorts, reason: string): Delivered {
  const by = proofOf(prompt, ports);
  if (by !== undefined) return acknowledge(prompt, ports, by);
  noteState(prompt, ports, 'failed', { reason });
  return { taken: false, reason };
}

function leaveUncertain(prompt: Prompt, ports: DeliveryPorts, reason: string): Delivered {
  const by = proofOf(prompt, ports);
  if (by !== undefined) return acknowledge(prompt, ports, by);
  noteState(prompt, ports, 'uncertain', { reason });
  return { taken: false, reason, uncertain: true };
}

function acknowledge(prompt: Prompt, ports: DeliveryPorts, by: string): Delivered {
  ports.at('proven');
  if (ports.ledger.of(prompt.uuid)?.state !== 'acknowledged') noteState(prompt, ports, 'acknowledged', { by });
  ports.at('acknowledged');
  // The record replaces the hooks as a proof.
  ports.observer.pruneHooks();
  return { taken: true, by };
}

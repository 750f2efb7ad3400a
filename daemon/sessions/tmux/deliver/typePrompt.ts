import { backoffMs, steadyNow } from '../../../../schemas/time/steadyTime.ts';
import {
  conversationProof,
  type DeliveryPorts,
  hasPrintedSince,
  hookProof,
  noteState,
  type Prompt,
} from './deliveryPorts.ts';
import { type Ends, look, throwIfGivenUp } from './nextStep.ts';

/**
 * A longer paste reaches the program in pieces. Its end may still be on the way while the first piece is shown and the
 * pane is silent.
 */
const SHORT_BYTES = 16 * 1024;

/**
 * Returns once the paste is shown and the pane is quiet, or after the maximum time. `refused`: it was not allowed.
 * `shown`: the pane reacted to it, the composer holds it, and Enter need not wait any longer.
 */
export async function paste(
  prompt: Prompt,
  ports: DeliveryPorts,
  { signal, giveUp }: Ends,
): Promise<'refused' | 'waited' | 'shown'> {
  const { acts, observer, profile, ledger } = ports;
  const { pasteMs, quietMs, pasteCapMs, shownMs } = profile.timings;
  const isShort = Buffer.byteLength(prompt.text) <= SHORT_BYTES;
  let pastingAt = Number.POSITIVE_INFINITY;
  const isPasted = await acts.paste(prompt.text, prompt.uuid, async () => {
    signal.throwIfAborted();
    throwIfGivenUp(prompt, ports, giveUp);
    // While tmux loaded the text, a person may have begun to write, or a dialog may have appeared.
    const step = await look(prompt, ports, false);
    if (step.do !== 'paste') return false;
    if (ledger.typed(prompt.uuid, ports)) noteState(prompt, ports, 'queued', { reason: 'the first paste is gone' });
    noteState(prompt, ports, 'pasted');
    pastingAt = steadyNow();
    ports.at('pasting');
    return true;
  });
  if (!isPasted) return 'refused';
  ports.at('pasted');
  const pastedAt = steadyNow();
  const found = await observer.changes.until<'waited' | 'shown'>(
    async () => {
      const now = steadyNow();
      const printedAt = observer.printedAt() ?? 0;
      const quietFor = now - Math.max(pastedAt, printedAt);
      const early = Math.max(pastedAt + pasteMs - now, quietMs - quietFor);
      const shown = isShort && hasPrintedSince(observer, pastingAt) ? shownMs - quietFor : Number.POSITIVE_INFINITY;
      if (Math.min(early, shown) > 0) return { againMs: Math.min(early, shown) };
      const { composer } = await observer.readScreen();
      if (composer) return { done: early > 0 ? 'shown' : 'waited' };
      return early > 0 ? { againMs: early } : {};
    },
    { timeoutMs: pasteCapMs, signal },
  );
  return found ?? 'waited';
}

/** Presses the keys that clear the composer. The next look waits until the program has read them. */
export async function clear({ acts, noticed, profile, at }: DeliveryPorts): Promise<void> {
  at('clearing');
  const clearedAt = steadyNow();
  await acts.press(profile.clearKeys);
  noticed.clearedAt = clearedAt;
  noticed.wasEmptied = false;
  at('cleared');
}

/** Presses Enter once and waits for a proof; undefined if there is none, and the next look decides. */
export async function enter(
  prompt: Prompt,
  ports: DeliveryPorts,
  signal: AbortSignal,
  nth: number,
): Promise<string | undefined> {
  const { acts, observer, profile } = ports;
  const { enterMs, enterLongestMs, proofMs } = profile.timings;
  noteState(prompt, ports, 'submitted');
  ports.at('entering');
  await acts.enter();
  ports.at('entered');
  const enteredAt = steadyNow();
  const patience = backoffMs(nth - 1, { firstMs: enterMs, longestMs: enterLongestMs });
  const proof = await observer.changes.until<string>(
    async () => {
      const hooked = hookProof(prompt, ports);
      if (hooked) return { done: hooked };
      const { state } = observer.status();
      if (state === 'DEAD') return { done: '' };
      const { composer, state: shown } = await observer.readScreen();
      const passed = steadyNow() - enteredAt;
      if (composer) ports.noticed.shownAt = steadyNow();
      if (composer && shown === 'STARTING') return { done: '' };
      if (composer) return passed < patience ? { againMs: patience - passed } : { done: '' };
      const recorded = conversationProof(prompt, ports);
      if (recorded) return { done: recorded };
      if (passed < proofMs) return { againMs: Math.min(LOOK_MS, proofMs - passed) };
      return { done: '' };
    },
    { timeoutMs: proofMs + enterLongestMs, signal },
  );
  return proof || undefined;
}

/** During a delivery the agent is busy anyway, so frequent looks are cheap enough. */
const LOOK_MS = 100;

import { steadyNow } from '../../../../schemas/time/steadyTime.ts';
import {
  conversationProof,
  type DeliveryPorts,
  hasPrintedSince,
  hookProof,
  noteState,
  type Prompt,
} from './deliveryPorts.ts';
import { type DeliveryStep, decideDelivery, type Waiting } from './deliveryStep.ts';
import { isSeen } from './ledger.ts';

/** Who may end a delivery: `giveUp` only before the text is typed. */
export interface Ends {
  signal: AbortSignal;
  giveUp: AbortSignal | undefined;
}

/** The delivery was given up, and the agent has nothing of it. Throws the reason. */
export function throwIfGivenUp(prompt: Prompt, ports: DeliveryPorts, giveUp: AbortSignal | undefined): void {
  if (!giveUp?.aborted || ports.ledger.isTyped(prompt.uuid, ports)) return;
  noteState(prompt, ports, 'failed', { reason: 'given up' });
  throw giveUp.reason;
}

/**
 * Waits by events for the next step; a `wait` step after the time-out. What can be given up waits for its agent without a
 * time-out.
 */
export async function nextStep(
  prompt: Prompt,
  ports: DeliveryPorts,
  { signal, giveUp }: Ends,
  isShown: boolean,
): Promise<DeliveryStep> {
  const isPatient = giveUp !== undefined && !ports.ledger.isTyped(prompt.uuid, ports);
  const end = isPatient ? AbortSignal.any([signal, giveUp]) : signal;
  let waiting: Waiting = { do: 'wait', for: 'nothing' };
  const step = await ports.observer.changes
    .until<DeliveryStep>(
      async () => {
        const next = await look(prompt, ports, isShown);
        if (next.do !== 'wait') return { done: next };
        waiting = next;
        ports.onWait(next);
        const soon = ports.observer.changesIn(ports.observer.status()) ?? Number.POSITIVE_INFINITY;
        return { againMs: Math.min(next.againMs ?? soon, soon), unlimited: isPatient || next.unlimited };
      },
      { timeoutMs: ports.profile.timings.readyMs, signal: end },
    )
    .catch((error: unknown) => {
      signal.throwIfAborted();
      throwIfGivenUp(prompt, ports, giveUp);
      throw error;
    })
    .finally(() => ports.onWait(undefined));
  return step ?? waiting;
}

/** Reads the screen only if everything else allows a step, or says nothing. */
export async function look(prompt: Prompt, ports: DeliveryPorts, isShown: boolean): Promise<DeliveryStep> {
  const { observer, acts, profile } = ports;
  const early = decide(prompt, ports, { isShown, composer: undefined, mark: '', isHeld: false });
  if (early.do !== 'wait' || early.needs !== 'screen') return early;
  // An agent at work prints all the time, and only its composer matters.
  const soon = profile.timings.stableMs - (steadyNow() - (observer.printedAt() ?? 0));
  if (soon > 0 && observer.status().state !== 'BUSY') return { ...early, againMs: soon };
  const [{ composer, state }, mark] = await Promise.all([observer.readScreen(), acts.readMark()]);
  if (composer && mark === prompt.uuid) ports.noticed.shownAt = steadyNow();
  if (composer === '' && hasCleared(ports)) ports.noticed.wasEmptied = true;
  return decide(prompt, ports, { isShown, composer, mark, isHeld: state === 'STARTING' });
}

interface Seen {
  isShown: boolean;
  composer: string | undefined;
  /** The uuid of the prompt that was last pasted into this pane. */
  mark: string;
  isHeld: boolean;
}

function decide({ uuid }: Prompt, ports: DeliveryPorts, { isShown, composer, mark, isHeld }: Seen): DeliveryStep {
  const { observer, ledger, profile } = ports;
  const status = observer.status();
  const now = steadyNow();
  const typed = ledger.typed(uuid, ports);
  const left = ledger.of(mark);
  const { clearedAt = Number.NEGATIVE_INFINITY, wasEmptied, shownAt } = ports.noticed;
  const printedAt = observer.printedAt() ?? 0;
  // Text in an emptied composer is not what was typed before.
  const isGone = (typedAt: number) => wasEmptied === true && typedAt <= clearedAt;
  return decideDelivery({
    // A paste may have been recorded and not made. Enter follows only a paste that was made.
    typed: typed?.state === 'submitted' || mark === uuid ? typed?.state : undefined,
    turnBegan: typed !== undefined && observer.turnBeganAfter(typed.since),
    conversationHas: () => ports.conversationHas(uuid),
    composer,
    timings: profile.timings,
    state: status.state,
    hung: ports.hung(),
    proof: hookProof({ uuid }, ports),
    marked: mark === uuid && !(typed && isGone(typed.lastAt)),
    isShown,
    isHeld,
    leftOver: left?.state === 'failed' && left.pid === ports.pid && !isGone(left.steadyAt),
    pasteOpen() {
      if (left === undefined || isSeen(left) || !ledger.isWith(mark, ports) || left.steadyAt <= clearedAt) return false;
      // A turn may prove a prompt before the program reports it.
      return (hookProof(left, ports) ?? conversationProof(left, ports)) === undefined;
    },
    bracketedPaste: observer.bracketedPaste(),
    stillMs: now - Math.max(status.since, printedAt),
    readyMs: now - (observer.firstReadyAt() ?? now),
    sinceTypedMs: typed === undefined ? 0 : now - typed.lastAt,
    sinceShownMs: typed === undefined ? 0 : now - Math.max(typed.lastAt, shownAt, status.since),
    hasPrinted: typed !== undefined && printedAt > typed.lastAt,
    sinceClearMs: now - clearedAt,
    hasCleared: hasCleared(ports),
  });
}

/** True if the program has read the keys that cleared the composer. */
function hasCleared({ observer, noticed }: DeliveryPorts): boolean {
  return hasPrintedSince(observer, noticed.clearedAt ?? Number.NEGATIVE_INFINITY);
}

import { backoffMs } from '../../../../schemas/backoff.ts';
import type { Observer } from '../observe/observer.ts';
import type { AgentState } from '../profile/evidence.ts';
import type { Profile } from '../profile/profile.ts';
import { type DeliveryStep, decideDelivery, type Waiting } from './deliveryStep.ts';
import type { Ledger, LedgerLine } from './ledger.ts';
import type { PaneActs } from './paneActs.ts';

export interface Prompt {
  uuid: string;
  dedupKey: string;
  /** The text to paste. */
  text: string;
}

/** Moments around an action and its record, at which a test kills the process. */
export type DeliveryPoint = 'queued' | 'pasting' | 'pasted' | 'entering' | 'entered' | 'proven' | 'acknowledged';

export interface DeliveryPorts {
  /** The program in the pane. A record about another program says nothing about this composer. */
  pid: number;
  /** The number of its launch in the session. */
  launch: number;
  profile: Pick<Profile, 'clearKeys' | 'timings'>;
  acts: PaneActs;
  observer: Observer;
  ledger: Ledger;
  /** True if a hook has reported this prompt. */
  hooked(uuid: string): boolean;
  /** Whether the agent's own record contains the prompt; undefined if it has no known record. */
  conversationHas(uuid: string): boolean | undefined;
  /** Why the busy agent counts as hung. */
  hung(): string | undefined;
  /** What the delivery waits for; undefined if nothing. */
  onWait(waiting: Waiting | undefined): void;
  at(point: DeliveryPoint): void;
  /**
   * When the composer was last cleared; 0 if never. Outlives a delivery, because a second key press may quit the
   * program.
   */
  cleared: { at: number };
}

/** `uncertain`: the agent may have taken it, and only a person can say so. */
export type Delivered = { taken: true; by: string } | { taken: false; reason: string; uncertain?: true };

/** Delivers one prompt, and continues where an earlier try stopped. Throws what the signal or tmux throws. */
export async function deliver(prompt: Prompt, ports: DeliveryPorts, signal: AbortSignal): Promise<Delivered> {
  const { observer, profile } = ports;
  const tries = { pastes: 0, enters: 0 };
  let isShown = false;
  const known = ports.ledger.of(prompt.uuid);
  if (known === undefined) note(prompt, ports, 'queued');
  else if (ports.conversationHas(prompt.uuid)) return acknowledge(prompt, ports, 'its conversation contains it');
  else if (known.state === 'uncertain') {
    if (ports.hooked(prompt.uuid)) return acknowledge(prompt, ports, 'a hook reported it');
    return { taken: false, reason: known.reason ?? 'no sign says whether the agent took it', uncertain: true };
  }
  ports.at('queued');
  for (;;) {
    const step = await nextStep(prompt, ports, signal, isShown);
    switch (step.do) {
      case 'done':
        return acknowledge(prompt, ports, step.by);
      case 'wait':
        return fail(prompt, ports, `timed out: ${step.for}`);
      case 'fail':
        return fail(prompt, ports, step.reason);
      case 'clear':
        ports.cleared.at = Date.now();
        await ports.acts.press(profile.clearKeys);
        break;
      case 'ask the conversation':
        if (ports.conversationHas(prompt.uuid) !== false) return acknowledge(prompt, ports, 'it left the composer');
        note(prompt, ports, 'queued', { reason: 'it left the composer, but the agent did not take it' });
        break;
      case 'paste': {
        if (tries.pastes > 0) return fail(prompt, ports, 'the paste did not appear');
        const pasted = await paste(prompt, ports, signal);
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

function note({ uuid, dedupKey }: Prompt, ports: DeliveryPorts, state: LedgerLine['state'], more = {}): void {
  ports.ledger.note({ uuid, dedupKey, state, pid: ports.pid, life: ports.launch, ...more });
}

function fail(prompt: Prompt, ports: DeliveryPorts, reason: string): Delivered {
  ports.observer.lookAtHooks();
  const taken = ports.hooked(prompt.uuid) ? 'a hook reported it' : undefined;
  if (taken ?? ports.conversationHas(prompt.uuid))
    return acknowledge(prompt, ports, taken ?? 'its conversation contains it');
  note(prompt, ports, 'failed', { reason });
  return { taken: false, reason };
}

function acknowledge(prompt: Prompt, ports: DeliveryPorts, by: string): Delivered {
  ports.at('proven');
  if (ports.ledger.of(prompt.uuid)?.state !== 'acknowledged') note(prompt, ports, 'acknowledged', { by });
  ports.at('acknowledged');
  // The record replaces the hooks as a proof.
  ports.observer.pruneHooks();
  return { taken: true, by };
}

/** Waits by events for the next step; a `wait` step after the time-out. */
async function nextStep(
  prompt: Prompt,
  ports: DeliveryPorts,
  signal: AbortSignal,
  isShown: boolean,
): Promise<DeliveryStep> {
  let waiting: Waiting = { do: 'wait', for: 'nothing' };
  const step = await ports.observer.changes
    .until<DeliveryStep>(
      async () => {
        const next = await look(prompt, ports, isShown);
        if (next.do !== 'wait') return { done: next };
        waiting = next;
        ports.onWait(next);
        const soon = ports.observer.changesIn(ports.observer.status()) ?? Number.POSITIVE_INFINITY;
        return { againMs: Math.min(next.againMs ?? soon, soon), unlimited: next.unlimited };
      },
      { timeoutMs: ports.profile.timings.readyMs, signal },
    )
    .finally(() => ports.onWait(undefined));
  return step ?? waiting;
}

/** Reads the screen only if everything else allows a step, or says nothing. */
async function look({ uuid }: Prompt, ports: DeliveryPorts, isShown: boolean): Promise<DeliveryStep> {
  const { observer, ledger, acts, profile } = ports;
  const { timings } = profile;
  const record = ledger.of(uuid);
  const decide = (composer: string | undefined, mark: string): DeliveryStep => {
    const status = observer.status();
    const now = Date.now();
    const left = ledger.of(mark);
    return decideDelivery({
      recorded: record?.state,
      composer,
      timings,
      state: status.state,
      hung: ports.hung(),
      proof: ports.hooked(uuid) ? 'a hook reported it' : undefined,
      marked: mark === uuid && record?.pid === ports.pid,
      isShown,
      leftOver: left?.state === 'failed' && left.pid === ports.pid,
      bracketedPaste: observer.bracketedPaste(),
      stillMs: now - Math.max(status.since, observer.printedAt() ?? 0),
      readyMs: now - (observer.firstReadyAt() ?? now),
      sincePasteMs: record === undefined ? 0 : now - Date.parse(record.at),
      sinceClearMs: now - ports.cleared.at,
    });
  };
  const early = decide(undefined, '');
  if (early.do !== 'wait' || !(early.needs === 'screen')) return early;
  const silentMs = Date.now() - (observer.printedAt() ?? 0);
  if (silentMs < timings.stableMs) return { ...early, againMs: timings.stableMs - silentMs };
  const [{ composer }, mark] = await Promise.all([observer.readScreen(), acts.readMark()]);
  return decide(composer, mark);
}

/**
 * A longer paste reaches the program in pieces. Its end may still be on the way while the first piece is shown and the
 * pane is silent.
 */
const SHORT_BYTES = 16 * 1024;

/**
 * Returns once the paste is shown and the pane is quiet, or after the maximum time. `refused`: it was not allowed.
 * `shown`: the pane reacted to it, the composer holds it, and Enter need not wait any longer.
 */
async function paste(
  prompt: Prompt,
  ports: DeliveryPorts,
  signal: AbortSignal,
): Promise<'refused' | 'waited' | 'shown'> {
  const { acts, observer, profile } = ports;
  const { pasteMs, quietMs, pasteCapMs, shownMs } = profile.timings;
  const isShort = Buffer.byteLength(prompt.text) <= SHORT_BYTES;
  let pastingAt = Number.POSITIVE_INFINITY;
  const isPasted = await acts.paste(prompt.text, prompt.uuid, async () => {
    signal.throwIfAborted();
    // While tmux loaded the text, a person may have begun to write, or a dialog may have appeared.
    if ((await look(prompt, ports, false)).do !== 'paste') return false;
    note(prompt, ports, 'pasted');
    pastingAt = Date.now();
    ports.at('pasting');
    return true;
  });
  if (!isPasted) return 'refused';
  ports.at('pasted');
  const pastedAt = Date.now();
  const found = await observer.changes.until<'waited' | 'shown'>(
    async () => {
      const now = Date.now();
      const printedAt = observer.printedAt() ?? 0;
      const quietFor = now - Math.max(pastedAt, printedAt);
      const early = Math.max(pastedAt + pasteMs - now, quietMs - quietFor);
      // A file's time may be some milliseconds early.
      const hasPrinted = Math.max(printedAt, observer.lastOutputAt() ?? 0) > pastingAt;
      const shown = isShort && hasPrinted ? shownMs - quietFor : Number.POSITIVE_INFINITY;
      if (Math.min(early, shown) > 0) return { againMs: Math.min(early, shown) };
      const { composer } = await observer.readScreen();
      if (composer) return { done: early > 0 ? 'shown' : 'waited' };
      return early > 0 ? { againMs: early } : {};
    },
    { timeoutMs: pasteCapMs, signal },
  );
  return found ?? 'waited';
}

/** Presses Enter once and waits for a proof; undefined if there is none, and the next look decides. */
async function enter(
  prompt: Prompt,
  ports: DeliveryPorts,
  signal: AbortSignal,
  nth: number,
): Promise<string | undefined> {
  const { acts, observer, profile } = ports;
  const { enterMs, enterLongestMs, proofMs } = profile.timings;
  note(prompt, ports, 'submitted');
  ports.at('entering');
  await acts.enter();
  ports.at('entered');
  const enteredAt = Date.now();
  const patience = backoffMs(nth - 1, { firstMs: enterMs, longestMs: enterLongestMs });
  const proof = await observer.changes.until<string>(
    async () => {
      if (ports.hooked(prompt.uuid)) return { done: 'a hook reported it' };
      const { state } = observer.status();
      if (state === 'DEAD') return { done: '' };
      const { composer } = await observer.readScreen();
      const passed = Date.now() - enteredAt;
      if (composer) return passed < patience ? { againMs: patience - passed } : { done: '' };
      const known = ports.conversationHas(prompt.uuid);
      if (known) return { done: 'its conversation contains it' };
      if (passed < proofMs) return { againMs: Math.min(LOOK_MS, proofMs - passed) };
      const isAtWork = WORKING.includes(observer.status().state) && composer !== undefined;
      return { done: isAtWork ? 'it left the composer, and the agent works' : '' };
    },
    { timeoutMs: proofMs + enterLongestMs, signal },
  );
  return proof || undefined;
}

/** During a delivery the agent is busy anyway, so frequent looks are cheap enough. */
const LOOK_MS = 100;
const WORKING: readonly AgentState[] = ['BUSY', 'WAITING'];

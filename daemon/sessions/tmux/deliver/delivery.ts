import type { AgentState } from '../observe/evidence.ts';
import type { Observer } from '../observe/observer.ts';
import type { Profile } from '../profile.ts';
import { type DeliveryStep, decideDelivery, type Waiting } from './deliveryStep.ts';
import type { Ledger, LedgerLine } from './ledger.ts';
import type { PaneActs } from './paneActs.ts';

export interface Prompt {
  uuid: string;
  dedupKey: string;
  /** As it is pasted. */
  text: string;
}

/** Moments beside a deed and its record, at which a test ends the process. */
export type DeliveryPoint = 'queued' | 'pasting' | 'pasted' | 'entering' | 'entered' | 'proven' | 'acknowledged';

export interface DeliveryPorts {
  /** Of the program in the pane; a record about another one says nothing of this one's composer. */
  pid: number;
  /** Its number in the session. */
  launch: number;
  profile: Pick<Profile, 'clearKeys' | 'timings'>;
  acts: PaneActs;
  observer: Observer;
  ledger: Ledger;
  /** A hook has shown this prompt. */
  hooked(uuid: string): boolean;
  /** The agent's own record has it; undefined when it keeps none that is known. */
  conversationHas(uuid: string): boolean | undefined;
  /** What the busy agent is hung at. */
  hung(): string | undefined;
  /** What the delivery waits for; undefined when for nothing. */
  onWait(waiting: Waiting | undefined): void;
  at(point: DeliveryPoint): void;
  /** When the composer was last cleared; 0 for never. Outlives a delivery: a second key press may quit the program. */
  cleared: { at: number };
}

export type Delivered = { taken: true; by: string } | { taken: false; reason: string };

/** Brings one prompt to the agent, from wherever an earlier try left it. Throws what the signal or tmux throws. */
export async function deliver(prompt: Prompt, ports: DeliveryPorts, signal: AbortSignal): Promise<Delivered> {
  const { observer, profile } = ports;
  const tries = { pastes: 0, enters: 0 };
  if (ports.ledger.of(prompt.uuid) === undefined) note(prompt, ports, 'queued');
  else if (ports.conversationHas(prompt.uuid)) return acknowledge(prompt, ports, 'its conversation has it');
  ports.at('queued');
  for (;;) {
    const step = await nextStep(prompt, ports, signal);
    switch (step.do) {
      case 'done':
        return acknowledge(prompt, ports, step.by);
      case 'wait':
        return giveUp(prompt, ports, `waited in vain: ${step.for}`);
      case 'give up':
        return giveUp(prompt, ports, step.reason);
      case 'clear':
        ports.cleared.at = Date.now();
        await ports.acts.press(profile.clearKeys);
        break;
      case 'ask the conversation':
        if (ports.conversationHas(prompt.uuid) !== false) return acknowledge(prompt, ports, 'it left the composer');
        note(prompt, ports, 'queued', { reason: 'it left the composer and was not taken' });
        break;
      case 'paste':
        if (tries.pastes > 0) return giveUp(prompt, ports, 'the paste was not shown');
        if (await paste(prompt, ports, signal)) tries.pastes += 1;
        break;
      case 'enter': {
        if (tries.enters++ >= profile.timings.enters) return giveUp(prompt, ports, 'Enter does nothing');
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

function giveUp(prompt: Prompt, ports: DeliveryPorts, reason: string): Delivered {
  ports.observer.lookAtHooks();
  const taken = ports.hooked(prompt.uuid) ? 'a hook showed it' : undefined;
  if (taken ?? ports.conversationHas(prompt.uuid))
    return acknowledge(prompt, ports, taken ?? 'its conversation has it');
  note(prompt, ports, 'failed', { reason });
  return { taken: false, reason };
}

function acknowledge(prompt: Prompt, ports: DeliveryPorts, by: string): Delivered {
  ports.at('proven');
  if (ports.ledger.of(prompt.uuid)?.state !== 'acknowledged') note(prompt, ports, 'acknowledged', { by });
  ports.at('acknowledged');
  // What is recorded need not be kept as a proof.
  ports.observer.pruneHooks();
  return { taken: true, by };
}

/** What may be done now, waited for by events; a `wait` when the time for it is over. */
async function nextStep(prompt: Prompt, ports: DeliveryPorts, signal: AbortSignal): Promise<DeliveryStep> {
  let waiting: Waiting = { do: 'wait', for: 'nothing' };
  const step = await ports.observer.changes
    .until<DeliveryStep>(
      async () => {
        const next = await look(prompt, ports);
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

/** The screen is looked at only where all else says that something may be done, or says nothing. */
async function look({ uuid }: Prompt, ports: DeliveryPorts): Promise<DeliveryStep> {
  const { observer, ledger, acts, profile } = ports;
  const { timings } = profile;
  const record = ledger.of(uuid);
  const decide = (composer: string | undefined, mark: string): DeliveryStep => {
    const verdict = observer.status();
    const now = Date.now();
    const left = ledger.of(mark);
    return decideDelivery({
      ...{ recorded: record?.state, composer, timings, state: verdict.state, hung: ports.hung() },
      proof: ports.hooked(uuid) ? 'a hook showed it' : undefined,
      marked: mark === uuid && record?.pid === ports.pid,
      leftOver: left?.state === 'failed' && left.pid === ports.pid,
      bracketedPaste: observer.bracketedPaste(),
      stillMs: now - Math.max(verdict.since, observer.lastOutputAt() ?? 0),
      readyMs: now - (observer.firstReadyAt() ?? now),
      sincePasteMs: record === undefined ? 0 : now - Date.parse(record.at),
      sinceClearMs: now - ports.cleared.at,
    });
  };
  const early = decide(undefined, '');
  if (early.do !== 'wait' || !(early.needs === 'screen')) return early;
  const silentMs = Date.now() - (observer.lastOutputAt() ?? 0);
  if (silentMs < timings.stableMs) return { ...early, againMs: timings.stableMs - silentMs };
  const { composer } = await observer.readScreen();
  return decide(composer, await acts.readMark());
}

/** Returns once the paste is shown and all is quiet again, or the time for that is over; false when it was not let. */
async function paste(prompt: Prompt, ports: DeliveryPorts, signal: AbortSignal): Promise<boolean> {
  const { acts, observer, profile } = ports;
  const { pasteMs, quietMs, pasteCapMs } = profile.timings;
  const isPasted = await acts.paste(prompt.text, prompt.uuid, async () => {
    signal.throwIfAborted();
    // While the text was brought to tmux, a person may have begun to write, or a dialog come up.
    if ((await look(prompt, ports)).do !== 'paste') return false;
    note(prompt, ports, 'pasted');
    ports.at('pasting');
    return true;
  });
  if (!isPasted) return false;
  ports.at('pasted');
  const pastedAt = Date.now();
  await observer.changes.until(
    async () => {
      const now = Date.now();
      const quietFor = now - Math.max(pastedAt, observer.lastOutputAt() ?? 0);
      const early = Math.max(pastedAt + pasteMs - now, quietMs - quietFor);
      if (early > 0) return { againMs: early };
      const { composer } = await observer.readScreen();
      return composer ? { done: true } : {};
    },
    { timeoutMs: pasteCapMs, signal },
  );
  return true;
}

/** Presses Enter once and waits for a proof; undefined when there is none, and the next look decides. */
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
  const patience = Math.min(enterLongestMs, enterMs * 2 ** (nth - 1));
  const proof = await observer.changes.until<string>(
    async () => {
      if (ports.hooked(prompt.uuid)) return { done: 'a hook showed it' };
      const { state } = observer.status();
      if (state === 'DEAD') return { done: '' };
      const { composer } = await observer.readScreen();
      const passed = Date.now() - enteredAt;
      if (composer) return passed < patience ? { againMs: patience - passed } : { done: '' };
      const known = ports.conversationHas(prompt.uuid);
      if (known) return { done: 'its conversation has it' };
      if (passed < proofMs) return { againMs: Math.min(LOOK_MS, proofMs - passed) };
      const isAtWork = WORKING.includes(observer.status().state) && composer !== undefined;
      return { done: isAtWork ? 'it left the composer, and the agent works' : '' };
    },
    { timeoutMs: proofMs + enterLongestMs, signal },
  );
  return proof || undefined;
}

/** While a prompt is under way its agent is not quiet, so looking costs what it is worth. */
const LOOK_MS = 100;
const WORKING: readonly AgentState[] = ['BUSY', 'WAITING'];

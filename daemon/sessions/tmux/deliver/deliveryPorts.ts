import type { Observer } from '../observe/observer.ts';
import type { Profile } from '../profile/profile.ts';
import type { Waiting } from './deliveryStep.ts';
import { type Ledger, type LedgerLine, PROOF } from './ledger.ts';
import type { PaneActs } from './paneActs.ts';

export interface Prompt {
  uuid: string;
  dedupKey: string;
  /** The text to paste. */
  text: string;
  /** It asks for no artifact. */
  isMessage?: boolean;
}

/** Moments around an action and its record, at which a test kills the process. */
export type DeliveryPoint =
  | 'queued'
  | 'clearing'
  | 'cleared'
  | 'pasting'
  | 'pasted'
  | 'entering'
  | 'entered'
  | 'proven'
  | 'acknowledged';

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
  /** True if the agent's own record contains the prompt; undefined if it has no known record. */
  conversationHas(uuid: string): boolean | undefined;
  /** Why the busy agent counts as hung. */
  hung(): string | undefined;
  /** The condition that the delivery waits for; undefined if none. */
  onWait(waiting: Waiting | undefined): void;
  at(point: DeliveryPoint): void;
  /** What this process has seen of the composer. Outlives a delivery: the next one asks. */
  noticed: Noticed;
}

/** Times of the steady clock; absent: never. */
export interface Noticed {
  /** When devflow last pressed the keys that clear the composer. */
  clearedAt?: number;
  /** True if the composer was empty after the program had reacted to them. */
  wasEmptied?: boolean;
  /** When this process last saw the delivered prompt in the composer, or else when it began to look. */
  shownAt: number;
}

export function noteState(
  { uuid, dedupKey, isMessage }: Prompt,
  ports: DeliveryPorts,
  state: LedgerLine['state'],
  more = {},
): void {
  const kind = isMessage ? { message: true as const } : {};
  ports.ledger.note({ uuid, dedupKey, state, pid: ports.pid, life: ports.launch, ...kind, ...more });
}

/** True if the pane has printed since then. A file's time may be some milliseconds early. */
export function hasPrintedSince(observer: Pick<Observer, 'printedAt' | 'lastOutputAt'>, at: number): boolean {
  return Math.max(observer.printedAt() ?? 0, observer.lastOutputAt() ?? 0) > at;
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

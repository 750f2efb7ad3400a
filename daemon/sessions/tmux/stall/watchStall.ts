import type { AgentStall } from '../../adapter.ts';
import { ENDED_BY_OTHERS } from '../deliver/deliveryStep.ts';
import type { AgentStatus } from '../observe/evidence.ts';
import type { Observer } from '../observe/observer.ts';
import { debounce, IDLE_AFTER_MS, isKnown, type StallReport, stallOf } from './stall.ts';
import type { HungWatch } from './watchHung.ts';

/** Follows one program for what keeps it from going on. */
export interface StallWatch {
  /** As the evidence stands at this moment, told or not. */
  now(): AgentStall | undefined;
  /** To be called when something has changed that the observer does not see. */
  look(): void;
  close(): void;
}

export interface StallPorts {
  observer: Observer;
  hung: Pick<HungWatch, 'follow' | 'found'>;
  waitsForDraft(): boolean;
  /** Of the profile. */
  logIn: string;
  /** Of its newest prompt; undefined where it was never given one. */
  lastTakenAt(): number | undefined;
  /** Outlives the program, so that its successor's state is told where it differs. */
  reported: { now: StallReport };
  report(stall: AgentStall | undefined): void;
}

/** However much an agent prints, it is judged no more often. */
const LOOK_MS = 200;
/** What a pane shows is read once it was silent for so long: a dialog may have come of which nothing else tells. */
const QUIET_MS = 400;

/** Driven by changes, and by what is known to end at a time; an agent at rest costs nothing. */
export function watchStall({
  observer,
  hung,
  waitsForDraft,
  logIn,
  lastTakenAt,
  reported,
  report,
}: StallPorts): StallWatch {
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isLooking = false;
  let closed = false;

  function schedule(ms: number): void {
    const at = performance.now() + ms;
    if (closed || at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(() => void run(), Math.min(ms, 2 ** 31 - 1));
  }

  /**
   * Undefined for one that is not at rest or never worked, and until what else kept it is told to be over. A turn can be so
   * short that nothing showed it.
   */
  function restedMs({ state, since }: AgentStatus): number | undefined {
    if (state !== 'READY') return undefined;
    const takenAt = lastTakenAt();
    const { stall, at: toldAt } = reported.now.last ?? { at: 0 };
    if (takenAt === undefined || (stall && stall.cause !== 'idle')) return undefined;
    return Date.now() - Math.max(since, takenAt, stall ? 0 : toldAt);
  }

  const stallNow = (verdict: AgentStatus) =>
    stallOf(verdict, { waitsForDraft: waitsForDraft(), hung: hung.found(), logIn, idleMs: restedMs(verdict) });
  const look = () => schedule(Math.max(0, lookedAt + LOOK_MS - performance.now()));

  async function run(): Promise<void> {
    due = Number.POSITIVE_INFINITY;
    if (isLooking) return look();
    isLooking = true;
    lookedAt = performance.now();
    // Where the pane is gone its death is told.
    if (isWorthReading()) await observer.readScreen().catch(() => {});
    isLooking = false;
    if (!closed) judge();
  }

  function silentMs(): number {
    return Date.now() - (observer.lastOutputAt() ?? 0);
  }

  function isWorthReading(): boolean {
    if (!observer.isScreenStale()) return false;
    // What was told last may be known from the screen alone, and is not over because that is drawn anew.
    const mayBeShown = reported.now.last?.stall !== undefined || ENDED_BY_OTHERS.includes(observer.status().state);
    return mayBeShown || silentMs() >= QUIET_MS;
  }

  function judge(): void {
    const verdict = observer.status();
    hung.follow(verdict.state === 'BUSY');
    schedule(observer.changesIn(verdict) ?? Number.POSITIVE_INFINITY);
    if (observer.isScreenStale() && silentMs() < QUIET_MS) schedule(QUIET_MS - silentMs());
    if (!isKnown(verdict)) return;
    const stall = stallNow(verdict);
    // A program that has just come up may have drawn a dialog, and nothing else would tell of it.
    const isUnseen = reported.now.last === undefined && verdict.state !== 'BUSY' && observer.isScreenStale();
    if (isUnseen && stall === undefined) return;
    const settled = debounce(reported.now, stall, Date.now());
    reported.now = settled.report;
    const rested = restedMs(verdict);
    if (rested !== undefined && rested < IDLE_AFTER_MS) schedule(IDLE_AFTER_MS - rested);
    if (settled.againMs !== undefined) schedule(settled.againMs);
    if (settled.isNew) report(stall);
  }

  const stop = observer.changes.listen(look);
  look();
  return {
    now: () => stallNow(observer.status()),
    look,
    close() {
      closed = true;
      clearTimeout(timer);
      stop();
    },
  };
}

import { defined } from '../../../../schemas/defined.ts';
import { LONGEST_TIMER_MS, steadyNow } from '../../../../schemas/time/steadyTime.ts';
import type { AgentStall } from '../../contract/adapter.ts';
import type { ChangeKind } from '../observe/changes.ts';
import type { Observer } from '../observe/observer.ts';
import { type AgentStatus, ENDED_BY_OTHERS, isContradicted } from '../profile/evidence.ts';
import { isEndSince, lastWords } from './lastWords.ts';
import { debounce, ENDED_AFTER_MS, IDLE_AFTER_MS, isConfirmed, isKnown, type StallReport, stallOf } from './stall.ts';
import type { HungWatch } from './watchHung.ts';

/** Watches one program for stalls. */
export interface StallWatch {
  /** The stall by the present evidence, reported or not. */
  now(): AgentStall | undefined;
  /** Call it after a change that the observer does not see. */
  look(): void;
  close(): void;
}

export interface StallPorts {
  observer: Observer;
  hung: Pick<HungWatch, 'follow' | 'found'>;
  waitsForDraft(): boolean;
  /** A person leads the agent. Then it is also idle after a turn that they began in the pane, and before the first. */
  isLed?: boolean | undefined;
  /** From the profile. */
  logIn: string;
  /** When the newest prompt was taken; undefined if there was none. */
  lastTakenAt(): number | undefined;
  /** When the newest prompt that was taken was typed. */
  lastTypedAt(): number | undefined;
  /** When the turn since then ended, if the program's reports or records tell. */
  endOf(status: AgentStatus, since: number): number | undefined;
  /** The reports about this program. The agent reads them too. */
  reported: { now: StallReport };
  report(stall: AgentStall | undefined): void;
}

/** The shortest time between two checks: for evidence of a new state, and for output during a stall. */
const SOON_MS = 25;
const LOOK_MS = 200;
/** The screen is read once the pane was silent for this long: only the screen may show a new dialog. */
const QUIET_MS = 400;

/**
 * Driven by changes and by known end times. An idle agent costs nothing. While an agent only prints, nothing is checked
 * until it pauses. A new state has evidence of its own, or the program stops to show it.
 */
export function watchStall({
  observer,
  hung,
  waitsForDraft,
  isLed,
  logIn,
  lastTakenAt,
  lastTypedAt,
  endOf,
  reported,
  report,
}: StallPorts): StallWatch {
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isLooking = false;
  let closed = false;
  let lastStatus: AgentStatus | undefined;
  let quiet: NodeJS.Timeout | undefined;

  function schedule(ms: number): void {
    const at = performance.now() + ms;
    if (closed || at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(() => void run(), Math.min(ms, LONGEST_TIMER_MS));
  }

  /**
   * The time since a turn while the agent is idle. Undefined if it is not ready or never worked, and until its other
   * stall is reported over. A turn can be too short for any sign of it.
   */
  function idleMs({ state, since }: AgentStatus, turnEndedAt = since): number | undefined {
    if (state !== 'READY') return undefined;
    const takenAt = lastTakenAt();
    const { stall, at: reportedAt } = reported.now.last ?? { at: 0 };
    if ((takenAt === undefined && !isLed) || (stall && stall.cause !== 'idle')) return undefined;
    return steadyNow() - Math.max(Math.min(since, turnEndedAt), takenAt ?? 0, stall ? 0 : reportedAt);
  }

  /** The screen can be redrawn, or another sign can decide; the words of one end of a turn stay. */
  let said: { at: number; words: string } | undefined;
  function wordsAt(status: AgentStatus): string {
    const since = lastTypedAt() ?? Number.NEGATIVE_INFINITY;
    const end = status.signals.findLast((signal) => isEndSince(signal, since))?.at;
    // Before its first turn it shows only a greeting.
    if (end === undefined && lastTakenAt() === undefined) return '';
    const at = end ?? status.since;
    if (said?.at !== at) said = { at, words: lastWords(status, observer.lastScreen(), since) };
    return said.words;
  }

  function endedAt(status: AgentStatus): number | undefined {
    const since = lastTypedAt() ?? (isLed ? Number.NEGATIVE_INFINITY : undefined);
    return since === undefined ? undefined : endOf(status, since);
  }

  function stallNow(status: AgentStatus): AgentStall | undefined {
    const ended = endedAt(status);
    return stallOf(status, {
      waitsForDraft: waitsForDraft(),
      hung: hung.found(),
      logIn,
      idleMs: idleMs(status, ended),
      hasEndedTurn: ended !== undefined,
      words: () => wordsAt(status),
    });
  }
  const lookWithin = (ms: number) => schedule(Math.max(0, lookedAt + ms - performance.now()));
  const look = () => lookWithin(SOON_MS);

  function onChange(kind: ChangeKind): void {
    if (kind === 'evidence' || reported.now.next) look();
    else if (mayBeShown() || hung.found() !== undefined) lookWithin(LOOK_MS);
    else lookOnceQuiet();
  }

  function lookOnceQuiet(): void {
    if (closed) return;
    quiet ??= setTimeout(
      () => {
        quiet = undefined;
        if (silentMs() < QUIET_MS) lookOnceQuiet();
        else look();
      },
      Math.max(1, QUIET_MS - silentMs()),
    );
  }

  /** True if the next screen may show that a stall began or ended. */
  function mayBeShown(): boolean {
    if (reported.now.last?.stall !== undefined) return true;
    return lastStatus !== undefined && (ENDED_BY_OTHERS.includes(lastStatus.state) || isContradicted(lastStatus));
  }

  async function run(): Promise<void> {
    due = Number.POSITIVE_INFINITY;
    if (isLooking) return look();
    isLooking = true;
    lookedAt = performance.now();
    // The loss of a pane is reported elsewhere.
    if (isWorthReading()) await observer.readScreen().catch(() => {});
    isLooking = false;
    if (!closed) checkStall();
  }

  function silentMs(): number {
    return steadyNow() - (observer.lastOutputAt() ?? 0);
  }

  function isWorthReading(): boolean {
    if (!observer.isScreenStale()) return false;
    lastStatus = observer.status();
    return mayBeShown() || silentMs() >= QUIET_MS;
  }

  /** Only the screen tells of some failures, and it is read in silence. A pane that always prints is not waited for longer. */
  function mayHaveFailed(status: AgentStatus): boolean {
    if (!observer.isScreenStale()) return false;
    const left = IDLE_AFTER_MS - (idleMs(status, endedAt(status)) ?? IDLE_AFTER_MS);
    if (left > 0) schedule(left);
    return left > 0;
  }

  function checkStall(): void {
    const status = observer.status();
    lastStatus = status;
    hung.follow(status.state === 'BUSY');
    schedule(observer.changesIn(status) ?? Number.POSITIVE_INFINITY);
    if (observer.isScreenStale() && silentMs() < QUIET_MS) lookOnceQuiet();
    if (!isKnown(status, steadyNow())) return;
    const stall = stallNow(status);
    // A program that has just started may show a dialog that only the screen reveals.
    const isUnseen = reported.now.last === undefined && status.state !== 'BUSY' && observer.isScreenStale();
    if (isUnseen && stall === undefined) return;
    if (stall?.cause === 'idle' && mayHaveFailed(status)) {
      reported.now = defined({ last: reported.now.last });
      return;
    }
    const step = debounce(reported.now, { stall, isSure: isConfirmed(status) }, steadyNow());
    reported.now = step.report;
    const idle = idleMs(status, endedAt(status));
    const next = [ENDED_AFTER_MS, IDLE_AFTER_MS].find((ms) => idle !== undefined && idle < ms);
    if (idle !== undefined && next !== undefined) schedule(next - idle);
    if (step.againMs !== undefined) schedule(step.againMs);
    if (step.isNew) report(stall);
  }

  const stop = observer.changes.listen(onChange);
  look();
  return {
    now: () => stallNow(observer.status()),
    look,
    close() {
      closed = true;
      clearTimeout(timer);
      clearTimeout(quiet);
      stop();
    },
  };
}

import { duration } from '../../../../schemas/time/duration.ts';
import { steadyNow, wallTimeOf } from '../../../../schemas/time/steadyTime.ts';
import type { SessionSignal } from '../../contract/adapter.ts';
import type { Observer } from '../observe/observer.ts';
import { readProcessTree } from '../process/processTree.ts';
import { hungAt, masked, nextProgress, type Progress } from './hung.ts';

/** Watches a program's progress while it is busy. */
export interface HungWatch {
  /** Call it with each new status. */
  follow(isBusy: boolean): void;
  /** Why the agent counts as hung; undefined if it does not, or if it is unknown. */
  found(): string | undefined;
  facts(): SessionSignal[];
  close(): void;
}

export interface HungPorts {
  maxHungMs: number;
  /** The first process of the pane. */
  pid: number;
  observer: Pick<Observer, 'lastOutputAt' | 'readScreen'>;
  /** Called when the agent becomes hung, or is no longer hung. */
  onChange(): void;
}

const CHECKS = 4;
const LONGEST_CHECK_MS = 60_000;
/** A hung agent is checked again as soon as it prints, but not at every print. */
const MOVED_CHECK_MS = 500;

export function watchHung({ maxHungMs, pid, observer, onChange }: HungPorts): HungWatch {
  const everyMs = Math.min(maxHungMs / CHECKS, LONGEST_CHECK_MS);
  let progress: Progress | undefined;
  let progressAt = steadyNow();
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  /** Numbers the busy periods; a check from an earlier one is ignored. */
  let spell = 0;
  let isBusy = false;

  const found = () => progress && hungAt(progress, maxHungMs);

  async function check(): Promise<void> {
    const mine = spell;
    const [at, outputAt, last] = [performance.now(), observer.lastOutputAt() ?? 0, progress?.last];
    // The loss of a pane is reported elsewhere.
    const read = () => observer.readScreen().then((reading) => masked(reading.screen));
    const screen = last?.outputAt === outputAt ? last.screen : await read().catch(() => '');
    const processes = await readProcessTree(pid).catch(() => []);
    if (mine !== spell) return;
    const before = found();
    progress = nextProgress(progress, { at, outputAt, screen, processes }, everyMs);
    if (progress.stillMs === 0) progressAt = steadyNow();
    schedule(everyMs);
    if (found() !== before) onChange();
  }

  function schedule(ms: number): void {
    const at = performance.now() + ms;
    if (at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(() => {
      due = Number.POSITIVE_INFINITY;
      void check();
    }, ms);
  }

  function end(): void {
    spell += 1;
    isBusy = false;
    progress = undefined;
    clearTimeout(timer);
    due = Number.POSITIVE_INFINITY;
  }

  return {
    follow(busy) {
      if (busy && !isBusy) {
        isBusy = true;
        void check();
      } else if (!busy && isBusy) {
        end();
      } else if (progress && found() !== undefined && !progress.prints) {
        const isMoved = (observer.lastOutputAt() ?? 0) !== progress.last.outputAt;
        if (isMoved) schedule(Math.min(everyMs, MOVED_CHECK_MS));
      }
    },
    found,
    facts() {
      if (!progress) return [];
      const { stillMs, by } = progress;
      const since = stillMs === 0 ? 'just now' : `none for ${duration(stillMs)}, and ${duration(maxHungMs)} is hung`;
      return [{ at: new Date(wallTimeOf(progressAt)), source: 'progress', fact: `${by}: ${since}` }];
    },
    close: end,
  };
}

import { duration } from '../../../../schemas/time/duration.ts';
import type { ProcessUse } from '../process/processTree.ts';
import { plain, type Screen } from '../profile/screen.ts';

/** The signs of a busy agent at one moment. */
export interface Sample {
  /** Milliseconds of a clock that stops while the machine sleeps. */
  at: number;
  /** When it last printed. */
  outputAt: number;
  /** The screen, masked. */
  screen: string;
  processes: readonly ProcessUse[];
}

/** A busy agent's progress. */
export interface Progress {
  /** The time without progress. */
  stillMs: number;
  /** The last sign of progress. */
  by: string;
  /** True if it printed between the last two samples. */
  prints: boolean;
  /** When the last progress was seen, and what its processes used since then. */
  seenAt: number;
  usedMs: number;
  last: Sample;
}

/** So much CPU in a time is no work: timers, and what a waiting program does now and then. */
const NOISE_MS = 50;
const NOISE_SHARE = 0.002;
/** A longer gap between two samples counts at most this many steps: devflow itself was held up. */
const LONGEST_STEP = 2;

/**
 * A silent agent makes progress if any process in its pane works. While it prints, its own CPU may be a spinner's. Then
 * only a change of the screen counts, or the work of a process that it started. Pure.
 */
export function nextProgress(before: Progress | undefined, sample: Sample, everyMs: number): Progress {
  if (!before) return progressed('it began to work', sample, false);
  const prints = sample.outputAt !== before.last.outputAt;
  if (prints && sample.screen !== before.last.screen) return progressed('its screen changed', sample, prints);
  const burstMs = usedBetween(before.last, sample, prints);
  const usedMs = before.usedMs + burstMs;
  // The sum counts, too. On a busy machine, a program that works gets little CPU between two samples.
  if (burstMs > noiseIn(sample.at - before.last.at) || usedMs > noiseIn(sample.at - before.seenAt))
    return progressed(`its processes used ${usedMs} ms of CPU`, sample, prints);
  const stillMs = before.stillMs + Math.min(sample.at - before.last.at, LONGEST_STEP * everyMs);
  return { ...before, stillMs, prints, usedMs, last: sample };
}

function noiseIn(passedMs: number): number {
  return Math.max(NOISE_MS, NOISE_SHARE * passedMs);
}

function progressed(by: string, sample: Sample, prints: boolean): Progress {
  return { stillMs: 0, by, prints, seenAt: sample.at, usedMs: 0, last: sample };
}

function usedBetween(before: Sample, sample: Sample, prints: boolean): number {
  const known = new Map(before.processes.map((each) => [each.key, each]));
  let used = 0;
  for (const { key, isOwn, cpuMs, endedCpuMs } of sample.processes) {
    const earlier = known.get(key);
    if (!isOwn || !prints) used += Math.max(0, cpuMs - (earlier?.cpuMs ?? 0));
    used += Math.max(0, endedCpuMs - (earlier?.endedCpuMs ?? 0));
  }
  return used;
}

/** Why the agent counts as hung; undefined if it does not. Pure. */
export function hungAt({ stillMs, prints }: Progress, maxHungMs: number): string | undefined {
  if (stillMs < maxHungMs) return undefined;
  return `${prints ? 'a spinner without progress' : 'no output and no CPU'} for ${duration(maxHungMs)}`;
}

const SPINNERS = /[\u2800-\u28ff·✢✳✶✻✽∗*◐◓◑◒◴◷◶◵]/g;

/** The screen without spinners and counters. */
export function masked(screen: Screen): string {
  return screen.lines
    .map((row) =>
      plain(row)
        .replaceAll(SPINNERS, '*')
        .replaceAll(/\d+(?:[.,]\d+)*/g, '0')
        // 59s and 1m 0s
        .replaceAll(/(?:0[hms]\b\s?)+/g, '0s '),
    )
    .join('\n');
}

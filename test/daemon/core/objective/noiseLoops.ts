import { judge } from '../../../../daemon/core/objective/judge.ts';
import type { Repeated } from '../../../../daemon/core/objective/noise.ts';
import { looksBetter, rank } from '../../../../daemon/core/objective/rank.ts';
import { type Summary, summarise } from '../../../../daemon/core/objective/values.ts';
import type { Measurement } from '../../../../schemas/objective/measured.ts';
import type { Objective } from '../../../../schemas/objective/objective.ts';
import { measured } from './givenObjective.ts';

/** Numbers from 0 to 1 that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A normal value of mean 0 and deviation 1. */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** What a command measures at an iteration; 0 is the base. */
export type Measure = (nth: number) => Record<string, number>;

export interface Played {
  /** The first iteration that is kept; undefined if none is. */
  kept: number | undefined;
  /** How often the command ran after the base. */
  looks: number;
}

/** Iterations until one is kept, as a run decides: it looks again at what looks better, and keeps what still does. */
export function playLoop(objective: Objective, measure: Measure): Played {
  const { repeat, stop } = objective;
  const look = (nth: number): Measurement => measured(measure(nth));
  const before = summarise(Array.from({ length: repeat.baseline }, () => look(0)));
  const repeated: Repeated[] = [before];
  let looks = 0;
  for (let nth = 1; nth <= stop.maxIterations; nth += 1) {
    const seen = [look(nth)];
    let candidate: Summary = summarise(seen);
    if (looksBetter(objective, { before, candidate, repeated })) {
      while (seen.length < 1 + repeat.confirm) seen.push(look(nth));
      candidate = summarise(seen);
    }
    looks += seen.length;
    if (rank(objective, { before, candidate, repeated }).isKept) return { kept: nth, looks };
    repeated.push(candidate);
  }
  return { kept: undefined, looks };
}

/** As before behaviour 6: one look, and the noise of the base alone. */
export function playOldLoop(objective: Objective, measure: Measure): Played {
  const { repeat, stop } = objective;
  const base = summarise(Array.from({ length: repeat.baseline }, () => measured(measure(0))));
  for (let nth = 1; nth <= stop.maxIterations; nth += 1) {
    const candidate = summarise([measured(measure(nth))]);
    if (judge(objective, { base, best: base, candidate }).isKept) return { kept: nth, looks: nth };
  }
  return { kept: undefined, looks: stop.maxIterations };
}

/** Bounds of a share that was seen in so many loops, with a confidence of 99.9 % (Wilson). */
export function boundsOf(count: number, of: number): { low: number; high: number } {
  const z = 3.29;
  const share = count / of;
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return { low: Math.max(0, middle - half), high: middle + half };
}

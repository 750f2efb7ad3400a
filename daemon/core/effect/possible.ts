import { CATALOGUE, type ErrorCode, type ErrorRecord } from '../../../schemas/errors.ts';
import { lastCommit } from '../run/query.ts';
import type { Run } from '../run/state.ts';
import type { EffectOf, EffectType } from './effect.ts';
import type { Outcome } from './outcome.ts';

/** One result of an effect, in the words of a person. */
export interface Possible {
  outcome: Outcome;
  words: string;
}

export type PossibleOf<T extends EffectType> = (effect: EffectOf<T>, run: Run) => Possible[];

export function failure(code: ErrorCode): ErrorRecord {
  return { code, class: CATALOGUE[code].class, message: 'it ended', hint: CATALOGUE[code].hint };
}

/** The size of each commit. */
export const WORK = { files: 1, insertions: 1, deletions: 0 };

export function newestCommit(run: Run): string {
  return lastCommit(run) ?? run.baseCommit;
}

import { CATALOGUE, type ErrorCode, type ErrorRecord } from '../../../schemas/errors.ts';
import type { EffectOf, EffectType } from '../effect/effect.ts';
import type { Outcome } from '../effect/outcome.ts';
import type { Run } from '../run/state.ts';

/** What can come of an effect, as a person would say it. */
export interface Possible {
  outcome: Outcome;
  words: string;
}

export type PossibleOf<T extends EffectType> = (effect: EffectOf<T>, run: Run) => Possible[];

export function failure(code: ErrorCode): ErrorRecord {
  return { code, class: CATALOGUE[code].class, message: 'it ended', hint: CATALOGUE[code].hint };
}

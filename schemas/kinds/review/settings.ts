import { DEFAULT_BAR, DEFAULT_ROUNDS } from '../../definitions/phase/phaseDefaults.ts';
import type { TemplatePhase } from '../../definitions/phase/templatePhase.ts';
import type { FindingSeverity } from '../../enums.ts';

/** The settings of a review phase, with defaults filled in. */
export interface ReviewSettings {
  /** A confirmed finding of this severity or worse keeps the change from passing. */
  bar: FindingSeverity;
  /** After so many rounds with such findings a person decides. */
  rounds: number;
  /** The command phase whose commands must pass at the reviewed commit; null: none. */
  checks: string | null;
}

export function reviewSettings({ review }: Pick<TemplatePhase, 'review'>): ReviewSettings {
  const { bar = DEFAULT_BAR, rounds = DEFAULT_ROUNDS, checks = null } = review ?? {};
  return { bar, rounds, checks };
}

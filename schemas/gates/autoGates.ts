import { z } from 'zod';
import { Slug } from '../definitions/phase/templatePhase.ts';

/** A condition without a number. */
export const PLAIN_CONDITIONS = ['no_open_questions', 'checks_green', 'review_passed'] as const;

export const AutoCondition = z.union([
  z.enum(PLAIN_CONDITIONS),
  z.strictObject({ diff_below: z.int().positive().max(1_000_000) }),
]);
export type AutoCondition = z.infer<typeof AutoCondition>;

/** A person's rule: devflow passes the gate if all conditions are met. */
export const AutoGate = z.strictObject({ gate: Slug, if: z.array(AutoCondition).min(1).max(4) });
export type AutoGate = z.infer<typeof AutoGate>;

export const AutoGates = z.array(AutoGate).max(50);

export const AUTO_ALLOWED =
  'a list of rules, each with gate (its key in the template) and if (a list of no_open_questions, checks_green, review_passed, or diff_below with a number of lines)';

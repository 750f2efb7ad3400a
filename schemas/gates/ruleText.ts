import type { AutoCondition, AutoGate } from './autoGates.ts';

/** `diff_below: 200`: as a person writes it. */
export function conditionText(condition: AutoCondition): string {
  return typeof condition === 'string' ? condition : `diff_below: ${condition.diff_below}`;
}

/** `plan_approved if no_open_questions, diff_below: 200`. */
export function ruleText({ gate, if: conditions }: AutoGate): string {
  return `${gate} if ${conditions.map(conditionText).join(', ')}`;
}

import type { AutoCondition, AutoGate } from '../../../schemas/gates/autoGates.ts';
import { conditionText, ruleText } from '../../../schemas/gates/ruleText.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { RuleFacts } from '../run/approval.ts';

type RuleVerdict = { by: { rule: string; met: string[] } } | { why: string[] };

/** The first rule whose conditions are all met decides. One reason to look twice stops all of them. Pure. */
export function judgeRules(rules: readonly AutoGate[], facts: RuleFacts): RuleVerdict {
  if (facts.alarms.length > 0) return { why: facts.alarms };
  const why: string[] = [];
  for (const rule of rules) {
    const unmet = rule.if.flatMap((condition) => unmetBy(condition, facts));
    if (unmet.length === 0) return { by: { rule: ruleText(rule), met: rule.if.map(conditionText) } };
    why.push(...unmet);
  }
  return { why: [...new Set(why)] };
}

function unmetBy(condition: AutoCondition, facts: RuleFacts): string[] {
  const reason = typeof condition === 'string' ? PLAIN[condition](facts) : tooLarge(condition.diff_below, facts);
  return reason === undefined ? [] : [reason];
}

type Unmet = (facts: RuleFacts) => string | undefined;

const PLAIN: Readonly<Record<Extract<AutoCondition, string>, Unmet>> = {
  no_open_questions({ questions }) {
    if (questions === null) return 'No document at this gate has a list of open questions.';
    return questions === 0 ? undefined : `${counted(questions, 'question is', 'questions are')} open.`;
  },
  checks_green({ checks: { green, red, elsewhere } }) {
    if (red > 0) return `${counted(red, 'check')} did not pass.`;
    if (green > 0) return undefined;
    return elsewhere > 0 ? 'The checks are of another commit.' : 'No command checked this.';
  },
  review_passed({ review }) {
    if (review === null) return 'There is no review.';
    if (review.verdict !== 'pass') return `The review did not pass: ${review.verdict}.`;
    return review.elsewhere ? 'The review is of another commit.' : undefined;
  },
};

function tooLarge(limit: number, { change: { lines, binaries } }: RuleFacts): string | undefined {
  if (binaries > 0) {
    return `${counted(binaries, 'file')} changed by more than lines: binary, submodule, rename, mode or a very long line.`;
  }
  return lines < limit ? undefined : `The change has ${counted(lines, 'line')}; the rule wants fewer than ${limit}.`;
}

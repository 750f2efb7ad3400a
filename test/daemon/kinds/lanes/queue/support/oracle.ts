/** A check that fails wherever all of `needs` are, and none of `unless`. */
export interface Rule {
  check: number;
  needs: readonly string[];
  unless: readonly string[];
  /** What the output says; absent: `needs`. */
  sign?: string;
}

/** The checks that really fail with these changes. */
export function failingChecks(rules: readonly Rule[], changes: ReadonlySet<string>): number[] {
  const failing = rules.filter((rule) => applies(rule, changes)).map(({ check }) => check);
  return [...new Set(failing)].sort();
}

export function applies({ needs, unless }: Rule, changes: ReadonlySet<string>): boolean {
  return needs.every((change) => changes.has(change)) && !unless.some((change) => changes.has(change));
}

/** What the output of a failing check says. */
export function signsOf(rules: readonly Rule[], check: number, changes: ReadonlySet<string>): string[] {
  const failing = rules.filter((rule) => rule.check === check && applies(rule, changes));
  return [...new Set(failing.map(({ needs, sign = needs.join(' ') }) => sign))].sort();
}

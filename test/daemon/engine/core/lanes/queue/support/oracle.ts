/** A check that fails wherever all of `needs` are, and none of `unless`. */
export interface Rule {
  check: number;
  needs: readonly string[];
  unless: readonly string[];
}

/** The checks that really fail with these changes. */
export function failingChecks(rules: readonly Rule[], changes: ReadonlySet<string>): number[] {
  const failing = rules.filter((rule) => applies(rule, changes)).map(({ check }) => check);
  return [...new Set(failing)].sort();
}

export function applies({ needs, unless }: Rule, changes: ReadonlySet<string>): boolean {
  return needs.every((change) => changes.has(change)) && !unless.some((change) => changes.has(change));
}

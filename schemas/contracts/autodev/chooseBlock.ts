const RULE = '══════════════════════════════════════';

/** The question at the end of a session. All flows ask it in these words, unless one has its own. */
export function chooseBlock({ completed, next }: { completed: string; next: string }): string {
  return [
    RULE,
    `DECISION REQUIRED: ${completed} — start ${next}?`,
    RULE,
    `A) Start a new conversation for ${next} (recommended for context freshness)`,
    'B) Continue in this conversation (NOT recommended — context may degrade)',
    `Warning: if context fills mid-${next}, state will be saved and you will`,
    'still be asked to resume in a new conversation — option B only delays that.',
    RULE,
    `Recommendation: A — ${next} is long; fresh context helps`,
    RULE,
  ].join('\n');
}

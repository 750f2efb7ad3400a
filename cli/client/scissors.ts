/** As `git commit -v` does it: what stands from this line on is no part of what a person writes above it. */
export const SCISSORS = '------------------------ >8 ------------------------';

/** What was written; undefined where the line was removed, and nobody can tell it from what stood below. */
export function aboveScissors(edited: string): string | undefined {
  const lines = edited.split(/\r?\n/);
  const end = lines.findIndex((each) => each.trimEnd() === SCISSORS);
  return end < 0 ? undefined : lines.slice(0, end).join('\n').trim();
}

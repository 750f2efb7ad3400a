import { diffArrays } from 'diff';

/** A line that is in both texts, only in the older, or only in the newer. */
export interface DiffPart {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Texts that differ in more lines are shown as one removed and one added text. The time, here 50 ms, grows with the square. */
const MOST_CHANGED = 700;

/** The shortest edit from one text to the other, in whole lines. A common beginning and end are not compared again. */
export function lineDiff(before: readonly string[], after: readonly string[]): DiffPart[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (text: string): DiffPart => ({ sign: ' ', text });
  return [
    ...before.slice(0, start).map(same),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

function middle(before: string[], after: string[]): DiffPart[] {
  const changes = diffArrays(before, after, { maxEditLength: MOST_CHANGED }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return changes.flatMap(({ value, removed, added }) =>
    value.map((text): DiffPart => ({ sign: removed ? '-' : added ? '+' : ' ', text })),
  );
}

/** The changed lines with some lines of context. A longer gap becomes one part with the number of skipped lines. */
export function nearChanges(parts: readonly DiffPart[], around = 3): (DiffPart | { readonly skipped: number })[] {
  const kept = new Set<number>();
  parts.forEach(({ sign }, nth) => {
    if (sign === ' ') return;
    for (let near = nth - around; near <= nth + around; near += 1) kept.add(near);
  });
  const shown: (DiffPart | { skipped: number })[] = [];
  let skipped = 0;
  parts.forEach((part, nth) => {
    if (!kept.has(nth)) {
      skipped += 1;
      return;
    }
    if (skipped > 0) shown.push({ skipped });
    skipped = 0;
    shown.push(part);
  });
  if (skipped > 0) shown.push({ skipped });
  return shown;
}

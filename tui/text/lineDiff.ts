/** A line that is in both texts, only in the older, or only in the newer. */
export interface DiffPart {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** The size of the table below. Texts that differ in more lines are shown as one removed and one added text. */
const MAX_CELLS = 4_000_000;

/** The shortest edit from one text to the other, in whole lines. */
export function lineDiff(before: readonly string[], after: readonly string[]): DiffPart[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const same = (text: string): DiffPart => ({ sign: ' ', text });
  return [
    ...before.slice(0, start).map(same),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** By the longest common subsequence. */
function middle(before: readonly string[], after: readonly string[]): DiffPart[] {
  const removed = (text: string): DiffPart => ({ sign: '-', text });
  const added = (text: string): DiffPart => ({ sign: '+', text });
  const width = after.length + 1;
  if ((before.length + 1) * width > MAX_CELLS) return [...before.map(removed), ...after.map(added)];
  /** At [i][j]: the common lines of the rests that begin at i and j. */
  const common = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const isSame = before[i] === after[j];
      common[i * width + j] = isSame ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const parts: DiffPart[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      parts.push({ sign: ' ', text: before[i] ?? '' });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      parts.push(removed(before[i] ?? ''));
      i += 1;
    } else {
      parts.push(added(after[j] ?? ''));
      j += 1;
    }
  }
  return [...parts, ...before.slice(i).map(removed), ...after.slice(j).map(added)];
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

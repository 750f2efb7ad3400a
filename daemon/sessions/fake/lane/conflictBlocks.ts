/** A hunk of `dev/conflict-resolution@1`. */
export interface Hunk {
  path: string;
  decision: 'combined' | 'ours' | 'theirs' | 'rewritten';
  dropped: { side: 'ours' | 'theirs'; text: string }[];
  reason: string;
}

/**
 * `well`: keeps the lines of both sides. `drop`: keeps ours and says that both are there. `drop-told`: keeps ours and says
 * so. `markers`: changes nothing and says that it did. Any other word resolves well.
 */
export type Resolution = 'well' | 'drop' | 'drop-told' | 'markers' | (string & {});

const BLOCK = /^<{7}[^\n]*\n([\s\S]*?)(?:^\|{7}[^\n]*\n[\s\S]*?)?^={7}\n([\s\S]*?)^>{7}[^\n]*(?:\n|$)/gm;

/** The text of a file without its conflicts, and what is told of them. Pure. */
export function resolveText(path: string, text: string, how: Resolution): { text: string; hunks: Hunk[] } {
  const hunks: Hunk[] = [];
  const resolved = text.replaceAll(BLOCK, (block: string, ours: string, theirs: string) => {
    const isTold = how === 'drop-told';
    const dropped = isTold && theirs !== '' ? [{ side: 'theirs' as const, text: theirs.replace(/\n$/, '') }] : [];
    hunks.push({ path, decision: isTold ? 'ours' : 'combined', dropped, reason: `Resolved as ${how}.` });
    if (how === 'markers') return block;
    return how === 'drop' || isTold ? ours : bothOf(ours, theirs);
  });
  if (hunks.length > 0) return { text: resolved, hunks };
  return { text, hunks: [{ path, decision: 'ours', dropped: [], reason: 'It has no conflict markers.' }] };
}

function bothOf(ours: string, theirs: string): string {
  const known = new Set(ours.split('\n'));
  const more = theirs.split('\n').filter((line) => line !== '' && !known.has(line));
  return `${ours}${more.map((line) => `${line}\n`).join('')}`;
}

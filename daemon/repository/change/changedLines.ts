import type { ChangedFile } from '../../../schemas/kinds/review/events.ts';

export interface TextLine {
  line: number;
  text: string;
}

/** The changed lines of a file on one side, of which `lines` is the text. */
export function changedLines({ hunks }: ChangedFile, lines: readonly string[], side: 'new' | 'old'): TextLine[] {
  return hunks.flatMap(([oldStart, oldCount, newStart, newCount]) => {
    const [start, count] = side === 'old' ? [oldStart, oldCount] : [newStart, newCount];
    return Array.from({ length: Math.max(0, Math.min(count, lines.length - start + 1)) }, (_, offset) => ({
      line: start + offset,
      text: lines[start + offset - 1] ?? '',
    }));
  });
}

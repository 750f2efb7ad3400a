import { withLineEndsOf } from '../document/markdown.ts';
import { linesOf, parsePointer } from './parsePointer.ts';
import type { Pointer } from './pointer.ts';
import { readPointer } from './readPointer.ts';
import { blockOf, HEADINGS, renderPointer } from './renderPointer.ts';

/** The file with another pointer in the place of its own. Further sections stay as they are. */
export function updatePointer(old: string | undefined, pointer: Pointer): string {
  if (old === undefined) return renderPointer(pointer);
  const { block, hasHeading } = parsePointer(old);
  if (!block) return withLineEndsOf(old, renderPointer(pointer));
  const lines = linesOf(old);
  const before = hasHeading
    ? lines
        .slice(0, block.first)
        .map((line) => `${line}\n`)
        .join('')
    : HEADINGS;
  const text = `${before}${blockOf(pointer)}\n${lines.slice(block.last + 1).join('\n')}`;
  const updated = withLineEndsOf(old, text);
  // The lines around the block may be read as part of it. Then only the pointer is kept.
  return isRead(updated, pointer) ? updated : withLineEndsOf(old, renderPointer(pointer));
}

function isRead(text: string, pointer: Pointer): boolean {
  const read = readPointer({ ok: true, text }).pointer;
  return read !== null && blockOf(read) === blockOf(pointer);
}

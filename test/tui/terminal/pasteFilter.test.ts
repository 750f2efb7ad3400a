import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPasteFilter } from '../../../tui/terminal/pasteFilter.ts';

const BEGINS = '\u001b[200~';
const ENDS = '\u001b[201~';

function sorted(...pieces: string[]): { typed: string; pasted: string[] } {
  const heard = { typed: '', pasted: [] as string[] };
  const filter = createPasteFilter({
    onTyped: (text) => (heard.typed += text),
    onPasted: (text) => heard.pasted.push(text),
  });
  for (const piece of pieces) filter.push(piece);
  return heard;
}

describe('a paste', () => {
  it('is one text, and keys around it stay keys', () => {
    expect(sorted(`j${BEGINS}a\r\nb\rc\u0007${ENDS}k`)).toEqual({ typed: 'jk', pasted: ['a\nb\nc'] });
    expect(sorted(`${BEGINS}1${ENDS}${BEGINS}2${ENDS}`)).toEqual({ typed: '', pasted: ['1', '2'] });
  });

  it('is whole wherever the output of the terminal is cut after two bytes', () => {
    const all = `x${BEGINS}some text${ENDS}y`;
    const cuts = fc.uniqueArray(fc.integer({ min: 4, max: all.length - 1 }), { maxLength: 8 });
    fc.assert(
      fc.property(cuts, (at) => {
        const ends = [0, ...at.sort((a, b) => a - b), all.length];
        const pieces = ends.slice(1).map((end, nth) => all.slice(ends[nth], end));
        expect(sorted(...pieces)).toEqual({ typed: 'xy', pasted: ['some text'] });
      }),
    );
  });

  it('never delays Escape, or keys that begin with it', () => {
    for (const key of ['\u001b', '\u001b[', '\u001b[A', '\u001b[5~', '\u001bOP']) expect(sorted(key).typed).toBe(key);
    expect(sorted('\u001b[2', '~').typed).toBe('\u001b[2~');
  });

  it('without an end gives the keyboard back', () => {
    expect(sorted(`${BEGINS}lost`, 'q', '\u0003', 'q')).toEqual({ typed: 'q', pasted: [] });
  });
});

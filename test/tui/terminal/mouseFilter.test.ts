import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMouseFilter } from '../../../tui/terminal/mouseFilter.ts';

const PRESS = '\u001b[<0;5;3M';
const RELEASE = '\u001b[<0;5;3m';
const WHEEL = '\u001b[<64;5;3M';

function pieces(...texts: string[]): string[] {
  const heard: string[] = [];
  const filter = createMouseFilter((piece) => heard.push(piece));
  for (const text of texts) filter.push(text);
  return heard;
}

describe('a report of the mouse', () => {
  it('is handed on by itself, between the keys around it', () => {
    expect(pieces(`j${PRESS}${RELEASE}\r`)).toEqual(['j', PRESS, RELEASE, '\r']);
    expect(pieces(WHEEL + WHEEL + WHEEL)).toEqual([WHEEL, WHEEL, WHEEL]);
  });

  it('is whole wherever it is cut after three bytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: PRESS.length }), (at) => {
        expect(pieces(PRESS.slice(0, at), `${PRESS.slice(at)}j`)).toEqual([PRESS, 'j']);
      }),
    );
  });

  it('that is cut after its escape types nothing but that escape', () => {
    for (const at of [1, 2]) {
      expect(pieces(PRESS.slice(0, at), `${PRESS.slice(at)}j`)).toEqual([PRESS.slice(0, at), PRESS, 'j']);
      expect(pieces(`${WHEEL}${PRESS.slice(0, at)}`, PRESS.slice(at, 5), PRESS.slice(5))).toEqual([
        WHEEL,
        PRESS.slice(0, at),
        PRESS,
      ]);
    }
  });

  it('is not made of an Escape and keys after it', () => {
    expect(pieces('\u001b', '[', '<', '0')).toEqual(['\u001b', '[', '<', '0']);
    expect(pieces('\u001b', 'j', '[<0;5;3M')).toEqual(['\u001b', 'j', '[<0;5;3M']);
  });

  it('never delays Escape, or keys that begin with it', () => {
    for (const key of ['\u001b', '\u001b[', '\u001b[A', '\u001b[5~', '\u001bOP']) expect(pieces(key)).toEqual([key]);
  });

  it('that never ends becomes keys', () => {
    expect(pieces('\u001b[<0;5', 'j')).toEqual(['\u001b[<0;5j']);
    expect(pieces(`\u001b[<${'1'.repeat(30)}`)).toEqual([`\u001b[<${'1'.repeat(30)}`]);
  });
});

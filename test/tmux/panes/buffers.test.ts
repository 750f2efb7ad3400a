import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pasteable } from '../../../tmux/panes/buffers.ts';

const anyText = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('latin1'));

describe('what may be pasted', () => {
  it.each([
    ['a\r\nb\rc\nd\te', 'a\nb\nc\nd\te'],
    ['end\x1b[201~rm -rf', 'end[201~rm -rf'],
    ['\u009b201~\x7f\x00', '201~'],
    ['grün 漢字 👩‍💻', 'grün 漢字 👩‍💻'],
  ])('%j', (text, pasted) => {
    expect(pasteable(text)).toBe(pasted);
  });

  it('stays the same when it is cleaned again', () => {
    fc.assert(fc.property(anyText, (text) => pasteable(pasteable(text)) === pasteable(text)));
  });
});

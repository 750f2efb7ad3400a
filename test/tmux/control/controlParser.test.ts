import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ControlMessage, ControlParser, decode } from '../../../tmux/control/controlParser.ts';

function parse(text: string, cuts: readonly number[] = []): ControlMessage[] {
  const bytes = Buffer.from(text);
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const parser = new ControlParser();
  return at.slice(1).flatMap((end, i) => parser.push(bytes.subarray(at[i], end)));
}

const ATTACH = '%begin 17 1 0\n%end 17 1 0\n%session-changed $0 a\n';

describe('the control-mode parser', () => {
  it('tells the unsolicited block of the attach from an answer', () => {
    expect(parse(`${ATTACH}%begin 17 5 1\nx\ny\n%end 17 5 1\n`)).toEqual([
      { type: 'block', ok: true, ours: false, lines: [] },
      { type: 'notification', line: '%session-changed $0 a' },
      { type: 'block', ok: true, ours: true, lines: ['x', 'y'] },
    ]);
  });

  it('takes an %end or %begin with another number for a line of the answer', () => {
    const lines = ['%end 17 6 1', '%begin 17 7 1', '%error 16 5 1', '%output %1 x'];
    expect(parse(`%begin 17 5 1\n${lines.join('\n')}\n%error 17 5 1\n`)).toEqual([
      { type: 'block', ok: false, ours: true, lines },
    ]);
  });

  it('ignores an %end without a beginning', () => {
    expect(parse('%end 1 2 1\ntorn\n%begin 1 3 1\n%end 1 3 1\n').at(-1)).toEqual({
      type: 'block',
      ok: true,
      ours: true,
      lines: [],
    });
  });

  it('gives the same messages wherever the bytes are cut', () => {
    const line = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('latin1').replaceAll(/[\n%]/g, '.'));
    fc.assert(
      fc.property(fc.array(fc.array(line)), fc.array(fc.nat()), (blocks, cuts) => {
        const text = blocks.map((lines, n) => [`%begin 9 ${n} 1`, ...lines, `%end 9 ${n} 1`, ''].join('\n')).join('');
        const messages = parse(text, cuts);
        expect(messages).toEqual(parse(text));
        const wellFormed = (lines: readonly string[]) => lines.map((l) => Buffer.from(l).toString());
        expect(messages.map((m) => (m.type === 'block' ? m.lines.map(decode) : m))).toEqual(blocks.map(wellFormed));
      }),
    );
  });

  it('accepts any bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void new ControlParser().push(Buffer.from(bytes))));
  });
});

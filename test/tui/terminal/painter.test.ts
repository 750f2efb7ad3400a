import headless from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Capabilities, createPainter } from '../../../tui/terminal/painter.ts';
import { EMPTY, line, type Style, span } from '../../../tui/text/line.ts';

const FULL: Capabilities = { colors: 256, unicode: true };
const paint = (looks: Capabilities, ...spans: Parameters<typeof line>) =>
  createPainter(looks).paint([line(...spans)], 10);

/** The letters of a terminal of four rows, and the backgrounds of its first row. */
async function screenOf(bytes: string): Promise<string[]> {
  const terminal = new headless.Terminal({ cols: 80, rows: 4, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(`\u001b[?7l${bytes}`, resolve));
  const { active } = terminal.buffer;
  const rows = [0, 1, 2, 3].map((row) => active.getLine(row)?.translateToString(true) ?? '');
  const grounds = Array.from({ length: 80 }, (_, at) => active.getLine(0)?.getCell(at)?.getBgColor());
  terminal.dispose();
  return [...rows, grounds.join()];
}

describe('the painter', () => {
  it('writes only the rows that changed', () => {
    const painter = createPainter(FULL);
    const first = painter.paint([line('one'), line('two')], 5);
    expect(first).toBe('\u001b[1;1Hone  \u001b[m\u001b[2;1Htwo  \u001b[m');
    expect(painter.paint([line('one'), line('two')], 5)).toBe('');
    expect(painter.paint([line('one'), line('new')], 5)).toBe('\u001b[2;1Hnew  \u001b[m');
    painter.reset();
    expect(painter.paint([line('one'), line('new')], 5)).toContain('one');
  });

  it('writes only the end of a row that changed, unless terminals measure the row differently', async () => {
    const painter = createPainter(FULL);
    const bold: Style = { bold: true };
    const before = [line('left │', span('one', bold), span(' more', { ...bold }))];
    const out = painter.paint(before, 80);
    const next = painter.paint([line('left │', span('two', bold), span(' more', { bold: true }))], 80);
    expect(next).toBe('\u001b[1;7H\u001b[0;1mtwo more\u001b[0m\u001b[m\u001b[K');
    expect((await screenOf(out + next))[0]).toBe('left │two more');
    expect(painter.paint([line('left │')], 80)).toBe('\u001b[1;7H\u001b[m\u001b[K');
    // The terminal may have put what comes after wide text elsewhere.
    painter.paint([line('日本', 'one')], 80);
    expect(painter.paint([line('日本', 'two')], 80)).toContain('\u001b[1;1H');
    expect(painter.paint([line('plain')], 80)).toContain('\u001b[1;1H');
  });

  it('writes 256 colours, the nearest of eight, or none', () => {
    const style: Style = { fg: 203, bg: 237, bold: true };
    expect(paint(FULL, span('x', style))).toContain('\u001b[0;1;38;5;203;48;5;237mx');
    expect(paint({ ...FULL, colors: 8 }, span('x', style))).toContain('\u001b[0;1;7;31mx');
    expect(paint({ ...FULL, colors: 8 }, span('x', { fg: 77 }))).toContain('\u001b[0;32mx');
    // On a grey row what is reversed is as the terminal has it, so that both are told apart.
    expect(paint({ ...FULL, colors: 8 }, span('x', { bg: 'bar', inverse: true }))).toContain('\u001b[1;1Hx');
    // A ground that was told by colour alone is told by the reverse.
    expect(paint({ ...FULL, colors: 0 }, span('x', style))).toContain('\u001b[0;1;7mx');
    expect(paint({ ...FULL, colors: 0 }, span('x', { fg: 77, underline: true }))).toContain('\u001b[0;4mx');
  });

  it('ignores an invalid colour', () => {
    for (const fg of [Number.NaN, 1e21, -1, 256, 1.5]) {
      expect(paint(FULL, span('x', { fg }))).not.toMatch(/NaN|e\+|-1|256m|1\.5/);
    }
  });

  it('writes only ASCII without unicode, with the same widths', () => {
    expect(paint({ ...FULL, unicode: false }, '│日…é—✓')).toContain('|??.?-+   ');
  });

  it('sets the column after text that terminals measure differently', () => {
    expect(paint(FULL, '日本', '|')).toBe('\u001b[1;1H\u001b[m\u001b[2K日本\u001b[5G|\u001b[m\u001b[K');
    expect(paint(FULL, '│✓', '|')).toBe('\u001b[1;1H│✓|\u001b[m\u001b[K');
  });

  it('writes no blanks to a terminal that it cleared', async () => {
    const rows = [
      line(span('left', { bg: 'bar' }), `${' '.repeat(56)}right`, span(' '.repeat(15), { bg: 'bar' })),
      line('日本', ' '.repeat(40), span('x', { fg: 1 }), ' '.repeat(37)),
      line(' '.repeat(80)),
      line('┌', span(' '.repeat(78), { inverse: true }), '│'),
    ];
    const painter = createPainter(FULL);
    const long = painter.paint(rows, 80);
    painter.reset(true);
    const short = painter.paint(rows, 80);
    expect(short.length).toBeLessThan(long.length - 80);
    const marks = 'x'.repeat(80);
    const over = await screenOf(`${marks}\r\n${marks}\r\n${marks}\r\n${marks}${long}`);
    expect(await screenOf(short)).toEqual(over);
    expect(over[0]).toBe(`left${' '.repeat(56)}right`.padEnd(80));
    // Only what was cleared just before is blank.
    expect(painter.paint([...rows.slice(1), EMPTY], 80)).not.toContain('C');
  });

  it('never writes text that the terminal could take for a control sequence', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is allowed
    const ours = /\u001b\[(?:\d+;\d+H|\d+G|2?K|\d+C|[\d;]*m)/g;
    const anything = fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 4 });
    const looks = fc.record({ colors: fc.constantFrom(0 as const, 8 as const, 256 as const), unicode: fc.boolean() });
    fc.assert(
      fc.property(anything, looks, fc.integer(), (texts, look, fg) => {
        const out = createPainter(look).paint(
          texts.map((text) => line(span(text, { fg }))),
          20,
        );
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
        expect(out.replaceAll(ours, '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
      { numRuns: 50 },
    );
  }, 30_000);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRow, parseRows } from '../../../tmux/command/format.ts';

/** What tmux makes of `#{q:…}`. */
const quoted = (value: string) => value.replaceAll(/[|&;<>()$`\\"'*?[# =%]/g, '\\$&');

describe('rows', () => {
  it('survive any value', () => {
    const value = fc.string({ unit: fc.constantFrom('|', '\\', '\n', '%', 'é', 'a', ' ', '\t') });
    const rows = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(value, { minLength: width, maxLength: width })).map((r) => ({ width, rows: r })),
      );
    fc.assert(
      fc.property(rows, ({ width, rows }) => {
        const output = rows.map((row) => row.map((field) => `${quoted(field)}|`).join('')).join('\n');
        expect(parseRows(rows.length === 0 ? [] : output.split('\n'), width)).toEqual(rows);
      }),
    );
  });

  it.each([['a|b'], ['a|'], ['a|b|c|d|'], ['a|b|x\nc|d|']])('rejects the torn row %j', (output) => {
    expect(() => parseRows(output.split('\n'), 2)).toThrow('incomplete row');
  });

  it('request every field escaped', () => {
    expect(formatRow(['pane_id', '@mark'])).toBe('#{q:pane_id}|#{q:@mark}|');
  });
});

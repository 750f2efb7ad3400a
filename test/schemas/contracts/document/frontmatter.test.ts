import { describe, expect, test } from 'vitest';
import { parseFrontmatter } from '../../../../schemas/contracts/document/frontmatter.ts';

const read = (...lines: string[]) => parseFrontmatter(['---', ...lines, '---', '# Body'].join('\n'));
const plain = (...lines: string[]) =>
  Object.fromEntries(
    [...read(...lines).fields].map(([name, value]) => [name, value.kind === 'list' ? value.items : value.raw]),
  );
const codes = (text: string) => parseFrontmatter(text).faults.map(({ code, line }) => [code, line]);

describe('HC-0.6', () => {
  test('reads scalars with and without quotes, and their comments', () => {
    expect(
      plain(
        'a: plain text # why',
        "b: 'it''s # no comment' # one",
        'c: "two\\nlines \\\\ \\d"',
        'd: 2.0',
        'e:',
        "f: ''",
      ),
    ).toEqual({
      a: 'plain text',
      b: "it's # no comment",
      c: 'two\nlines \\ \\d',
      d: '2.0',
      e: '',
      f: '',
    });
    expect(read('a: "1"', 'b: 1').fields.get('a')).toMatchObject({ isQuoted: true, line: 2 });
  });

  test('reads block lists of texts and of flat maps', () => {
    expect(
      plain(
        'a:',
        '  - one',
        '- two # 2',
        'b: []',
        'c:',
        '  - {path: x, pattern: "a, b"}',
        '  - path: y',
        '    pattern: z',
      ),
    ).toEqual({
      a: ['one', 'two'],
      b: [],
      c: [
        { path: 'x', pattern: '"a' },
        { path: 'y', pattern: 'z' },
      ],
    });
  });

  test('takes a list in brackets for a text', () => {
    expect(plain('a: [one, two]')).toEqual({ a: '[one, two]' });
  });

  test('refuses what it does not know, with its line', () => {
    expect(codes('# no frontmatter')).toEqual([['FM_MISSING', 1]]);
    expect(codes('---\na: 1\n')).toEqual([['FM_UNTERMINATED', 1]]);
    expect(codes('---\na:\n  b: 1\n---\n')).toEqual([['FM_NESTED', 3]]);
    expect(codes('---\na: {b: 1}\n---\n')).toEqual([['FM_NESTED', 2]]);
    expect(codes('---\na: 1\nb: 2\na: 3\n---\n')).toEqual([['FM_DUPLICATE_KEY', 4]]);
    expect(codes('---\nprose\n---\n')).toEqual([['FM_SYNTAX', 2]]);
  });

  test('takes any line ends and a byte order mark', () => {
    const { fields, body, bodyLine } = parseFrontmatter('\uFEFF---\r\na: 1\r\n---\r\nBody\r\n');
    expect([fields.get('a'), body, bodyLine]).toMatchObject([{ raw: '1' }, 'Body\n', 4]);
  });

  test('keeps names like __proto__ as fields', () => {
    const { fields } = read('__proto__: evil', 'constructor: x', 'list:', '  - __proto__: y');
    expect([...fields.keys()]).toEqual(['__proto__', 'constructor', 'list']);
    expect(({} as Record<string, unknown>).evil).toBeUndefined();
  });

  test('reads a map with very many fields at once', () => {
    const fields = Array.from({ length: 200_000 }, (_, at) => `    k${at}: x`);
    const list = read('list:', '  - a: x', '    __proto__: y', fields.join('\n')).fields.get('list');
    expect(list?.kind === 'list' && Object.keys(list.items[0] ?? {}).slice(0, 3)).toEqual(['a', '__proto__', 'k0']);
  });

  test.each([
    ['spaces', `a: ${' '.repeat(1_000_000)}x`],
    ['quotes', `a: '${"''".repeat(1_000_000)}x`],
    ['escapes', `a: "${'\\"'.repeat(1_000_000)}x`],
    ['marks', `a: ${' #'.repeat(1_000_000)}`],
  ])('reads a line with a million %s at once', (_, line) => {
    expect(read(line).faults).toEqual([]);
  });
});

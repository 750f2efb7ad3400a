import { describe, expect, it } from 'vitest';
import { drawWitnesses, witnessFaults } from '../../../../../daemon/kinds/review/finding/witness.ts';

const changed = (path: string, ...texts: string[]) => ({
  path,
  lines: texts.map((text, at) => ({ line: at + 1, text })),
});
const long = (path: string) => changed(path, ...Array.from({ length: 50 }, (_, at) => `const value${at} = ${at};`));

describe('the drawn lines', () => {
  it('are three of each file, in ascending order', () => {
    const drawn = drawWitnesses('seed', [long('b.ts'), long('a.ts')]);
    expect(drawn.map(({ path }) => path)).toEqual(['a.ts', 'b.ts']);
    for (const { lines } of drawn) {
      expect(lines).toHaveLength(3);
      expect(lines).toEqual([...new Set(lines)].sort((a, b) => a - b));
    }
  });

  it('are the same for the same seed, and others for another', () => {
    expect(drawWitnesses('one', [long('a.ts')])).toEqual(drawWitnesses('one', [long('a.ts')]));
    expect(drawWitnesses('one', [long('a.ts')])).not.toEqual(drawWitnesses('two', [long('a.ts')]));
    const [a, b] = drawWitnesses('one', [long('a.ts'), long('b.ts')]);
    expect(a?.lines).not.toEqual(b?.lines);
  });

  it('have a text that proves something and that an agent can quote', () => {
    const file = changed('a.ts', '}', '  });', '', 'é = ü + 1;', 'x'.repeat(301), '  return;');
    expect(drawWitnesses('seed', [file])).toEqual([{ path: 'a.ts', lines: [4, 6] }]);
    expect(drawWitnesses('seed', [changed('a.ts', '}', '')])).toEqual([]);
    expect(drawWitnesses('seed', [long('a\r.ts'), long('caf\ufffd.ts')])).toEqual([]);
    const unreadable = ['\u001b[31mred', 'na\u200bme = 1;', 'caf\ufffd = 1;', 'a\u0000b1'];
    expect(drawWitnesses('seed', [changed('a.ts', ...unreadable, '\tif (a1)')])).toEqual([
      { path: 'a.ts', lines: [5] },
    ]);
  });

  it('are of forty files at most, which the seed chooses', () => {
    const files = Array.from({ length: 100 }, (_, at) => long(`src/${100 + at}.ts`));
    const paths = (seed: string) => drawWitnesses(seed, files).map(({ path }) => path);
    expect(paths('one')).toHaveLength(40);
    expect(paths('one')).toEqual(paths('one').toSorted());
    expect(paths('one')).not.toEqual(paths('two'));
  });

  it('are removed lines where a file has too few others', () => {
    const removed = { path: 'old.ts', lines: long('old.ts').lines };
    const deleted = drawWitnesses('seed', [{ ...changed('old.ts'), removed }]);
    expect(deleted).toEqual([{ path: 'old.ts', side: 'old', lines: expect.any(Array) }]);
    expect(deleted[0]?.lines).toHaveLength(3);
    const few = drawWitnesses('seed', [{ ...changed('new.ts', 'first', 'second'), removed }]);
    expect(few.map(({ path, side, lines }) => [path, side, lines.length])).toEqual([
      ['new.ts', undefined, 2],
      ['old.ts', 'old', 1],
    ]);
    expect(drawWitnesses('seed', [{ ...long('a.ts'), removed }])).toEqual(drawWitnesses('seed', [long('a.ts')]));
  });

  it('do not depend on the order of the files', () => {
    const files = Array.from({ length: 60 }, (_, at) => long(`src/${at}.ts`));
    expect(drawWitnesses('seed', files.toReversed())).toEqual(drawWitnesses('seed', files));
  });
});

describe('the quotes of a reviewer', () => {
  const text = ['import fs;', '', '  const  secret = 42;', '}'];
  const textAt = (path: string, line: number) => (path === 'a.ts' ? text[line - 1] : undefined);
  const wanted = [{ path: 'a.ts', lines: [1, 3] }];
  const faults = (...witness: { line: number; text: string }[]) =>
    witnessFaults(wanted, [{ path: 'a.ts', witness }], textAt);
  const first = { line: 1, text: 'import fs;' };

  it('may differ in white space and contain more lines', () => {
    expect(faults(first, { line: 3, text: 'const secret\t= 42; ' }, { line: 4, text: 'anything' })).toEqual([]);
  });

  it('are at fault if the text is that of no such line', () => {
    const [fault, ...others] = faults(first, { line: 3, text: 'const secret = 43;' });
    expect(others).toEqual([]);
    expect(fault?.path).toBe('/coverage/0/witness/1/text');
    expect(fault?.message).toContain('line 3 of a.ts');
    expect(fault?.message).toContain('quote the text of that line exactly');
  });

  it('are at fault if one of several guesses is wrong', () => {
    expect(faults(first, { line: 3, text: text[2] as string }, { line: 3, text: 'guess' })).toHaveLength(1);
  });

  it('are at fault if a line or a file is missing', () => {
    expect(faults(first)).toEqual([
      { path: '/coverage', message: expect.stringContaining('Line 3 of a.ts is missing') },
    ]);
    expect(witnessFaults(wanted, [], textAt)).toEqual([
      { path: '/coverage', message: expect.stringContaining('a.ts is missing') },
    ]);
    expect(witnessFaults(wanted, [], textAt)[0]?.message).toContain('the lines 1, 3 exactly');
  });

  it('may be spread over several entries of one file', () => {
    const coverage = [
      { path: 'a.ts', witness: [first] },
      { path: 'a.ts', witness: [{ line: 3, text: 'wrong' }] },
    ];
    expect(witnessFaults(wanted, coverage, textAt).map(({ path }) => path)).toEqual(['/coverage/1/witness/0/text']);
  });

  it('are not expected of a line that the file does not have', () => {
    expect(witnessFaults([{ path: 'a.ts', lines: [9] }], [{ path: 'a.ts', witness: [] }], textAt)).toEqual([]);
  });

  it('never get the right text as an answer', () => {
    const answers = [...faults(), ...faults({ line: 3, text: 'x' }), ...witnessFaults(wanted, [], textAt)];
    expect(JSON.stringify(answers)).not.toMatch(/import fs|secret|42/);
  });
});

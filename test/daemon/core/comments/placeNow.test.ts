import { describe, expect, test } from 'vitest';
import { placeNow } from '../../../../daemon/core/comments/placeNow.ts';
import type { ChangedFile } from '../../../../schemas/place/place.ts';

const BEFORE = ['import a;', 'first(call);', 'second(call);', '}', 'third(call);'];
const comment = { path: 'a.ts', line: 2, endLine: 3, quote: 'first(call);\nsecond(call);' };
const changed = (more: Partial<ChangedFile>): ChangedFile => {
  return { path: 'a.ts', from: null, isDeleted: false, hunks: [], ...more };
};
const at = (lines: string[] | undefined, files: ChangedFile[], about = comment) => placeNow(about, files, lines);

describe('the lines of a comment', () => {
  test('stay where nothing changed', () => {
    expect(at(BEFORE, [])).toEqual({ path: 'a.ts', line: 2, endLine: 3, as: 'same' });
  });

  test('move with lines before them, and with the file', () => {
    const inserted = ['// new', ...BEFORE];
    expect(at(inserted, [changed({ hunks: [[0, 0, 1, 1]] })])).toEqual({
      path: 'a.ts',
      line: 3,
      endLine: 4,
      as: 'moved',
    });
    const renamed = changed({ path: 'b.ts', from: 'a.ts' });
    expect(at(BEFORE, [renamed])).toEqual({ path: 'b.ts', line: 2, endLine: 3, as: 'moved' });
  });

  test('move as a whole if they begin with a blank line', () => {
    const [first = '', ...rest] = BEFORE;
    const blank = { ...comment, quote: `\n${comment.quote}`, endLine: 4 };
    const files = [changed({ hunks: [[0, 0, 1, 1]] })];
    expect(at(['// new', first, '', ...rest], files, blank)).toMatchObject({ line: 3, endLine: 5, as: 'moved' });
    const removed = [
      changed({
        hunks: [
          [1, 3, 0, 0],
          [5, 0, 3, 3],
        ],
      }),
    ];
    expect(at(['}', 'third(call);', 'more();', '', ...rest.slice(0, 2)], removed, blank)).toMatchObject({ line: 4 });
  });

  test('are shown as changed where something replaced them', () => {
    const fixed = ['import a;', 'first(call, now);', 'second(call);', '}', 'third(call);'];
    expect(at(fixed, [changed({ hunks: [[2, 1, 2, 1]] })])).toEqual({
      path: 'a.ts',
      line: 2,
      endLine: 3,
      as: 'changed',
    });
  });

  test('move by their quote only if it stands once', () => {
    const moved = ['import a;', '}', 'third(call);', 'first(call);', 'second(call);'];
    const files = [
      changed({
        hunks: [
          [2, 2, 1, 0],
          [5, 0, 4, 2],
        ],
      }),
    ];
    expect(at(moved, files)).toMatchObject({ line: 4, as: 'moved' });
    expect(at([...moved, 'first(call);', 'second(call);'], files)).toMatchObject({ as: 'outdated', line: null });
  });

  test('are outdated where they are gone, and never become a brace elsewhere', () => {
    const gone = ['import a;', '}', 'third(call);'];
    const files = [changed({ hunks: [[2, 2, 1, 0]] })];
    expect(at(gone, files)).toEqual({ path: 'a.ts', line: null, endLine: null, as: 'outdated' });
    const brace = { ...comment, line: 2, endLine: 2, quote: '{' };
    expect(at(['{', 'x'], [changed({ hunks: [[2, 1, 1, 0]] })], brace)).toMatchObject({ as: 'outdated' });
    expect(at(undefined, [changed({ isDeleted: true })])).toMatchObject({ as: 'outdated' });
    expect(at(undefined, [])).toMatchObject({ as: 'outdated' });
  });
});

describe('a file of a comment', () => {
  const file = { path: 'a.ts', line: null, endLine: null, quote: '' };
  const as = (files: ChangedFile[]) => placeNow(file, files, undefined).as;

  test('is the same, changed, moved or gone', () => {
    expect(as([])).toBe('same');
    expect(as([changed({ hunks: [[1, 1, 1, 1]] })])).toBe('changed');
    expect(as([changed({ path: 'b.ts', from: 'a.ts' })])).toBe('moved');
    expect(as([changed({ isDeleted: true })])).toBe('outdated');
  });
});

import { describe, expect, test } from 'vitest';
import { resolveText } from '../../../../../daemon/sessions/fake/lane/conflictBlocks.ts';

const BLOCK = '<<<<<<< ours\nT1\nboth\n=======\nT2\nboth\n>>>>>>> theirs\n';
const TEXT = `above\n${BLOCK}between\n${BLOCK}below\n`;

describe('two conflicts of one file', () => {
  test.each([
    ['well', 'above\nT1\nboth\nT2\nbetween\nT1\nboth\nT2\nbelow\n', 'combined', []],
    ['any other word', 'above\nT1\nboth\nT2\nbetween\nT1\nboth\nT2\nbelow\n', 'combined', []],
    ['drop', 'above\nT1\nboth\nbetween\nT1\nboth\nbelow\n', 'combined', []],
    ['drop-told', 'above\nT1\nboth\nbetween\nT1\nboth\nbelow\n', 'ours', [{ side: 'theirs', text: 'T2\nboth' }]],
    ['markers', TEXT, 'combined', []],
  ])('resolved as %s', (how, text, decision, dropped) => {
    const hunk = { path: 'a.txt', decision, dropped, reason: `Resolved as ${how}.` };
    expect(resolveText('a.txt', TEXT, how)).toEqual({ text, hunks: [hunk, hunk] });
  });
});

test('the base of a conflict goes, and so does an empty side', () => {
  const withBase = '<<<<<<< a\nT1\n||||||| b\nold\n=======\nT2\n>>>>>>> c\n';
  expect(resolveText('a', withBase, 'well').text).toBe('T1\nT2\n');
  expect(resolveText('a', '<<<<<<< a\n=======\nT2\n>>>>>>> c\n', 'well').text).toBe('T2\n');
  expect(resolveText('a', '<<<<<<< a\nT1\n=======\n>>>>>>> c', 'drop-told').hunks).toMatchObject([{ dropped: [] }]);
});

test('a file without markers stays, and is named', () => {
  expect(resolveText('a', '=======\n', 'well')).toMatchObject({ text: '=======\n', hunks: [{ decision: 'ours' }] });
});

import { describe, expect, it } from 'vitest';
import { leftMarkers } from '../../../../daemon/repository/conflict/conflictMarkers.ts';

const left = (result: string, sides: { base?: string; ours?: string; theirs?: string } = {}) =>
  leftMarkers({ base: '', ours: '', theirs: '', ...sides, result }).map(({ line, text }) => `${line} ${text}`);

describe('the conflict markers that are left', () => {
  it('are named with their lines', () => {
    const text = 'a\n<<<<<<< 1f\nx\n||||||| 2e\n=======\ny\n>>>>>>> 3d\n';
    expect(left(text)).toEqual(['2 <<<<<<< 1f', '4 ||||||| 2e', '7 >>>>>>> 3d']);
  });
  it('are seen with other line ends, without a label, and longer', () => {
    expect(left('<<<<<<< 1f\r\nx\r\n')).toEqual(['1 <<<<<<< 1f']);
    expect(left('x\n>>>>>>>\n')).toEqual(['2 >>>>>>>']);
    expect(left('<<<<<<<<< 1f\n')).toEqual(['1 <<<<<<<<< 1f']);
  });
  it('are a middle that neither side has', () => {
    expect(left('x\n=======\ny\n')).toEqual(['2 =======']);
  });
  it.each([
    ['underlined headings', 'One\n=======\n'],
    ['a test about conflicts', '<<<<<<< HEAD\n=======\n>>>>>>> other\n'],
  ])('are not lines that a side has: %s', (_, ours) => {
    expect(left(ours, { ours })).toEqual([]);
    expect(left(`${ours}Two\n=======\n`, { base: ours, ours, theirs: `${ours}Two\n=======\n` })).toEqual([]);
    expect(left(`${ours}${ours}`, { ours, theirs: ours })).toEqual([]);
  });
  it('are a middle beside underlined headings', () => {
    const heading = 'One\n=======\n';
    expect(left(`${heading}=======\n`, { base: heading, ours: heading, theirs: heading })).toHaveLength(2);
  });
  it('are not other lines of such signs', () => {
    expect(left('<<<<<<\n<<<<<<<x\na <<<<<<< b\n==== x\n==========\n>>>>>> y\n')).toEqual([]);
  });
});

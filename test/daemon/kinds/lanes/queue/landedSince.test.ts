import { expect, it } from 'vitest';
import { landedSince } from '../../../../../daemon/kinds/lanes/queue/landedSince.ts';

const LANDED = [
  { laneId: 'a', before: 'main', commit: 'abc' },
  { laneId: 'b', before: 'main', commit: 'abc' },
  { laneId: 'c', before: 'main', commit: 'abc' },
  { laneId: 'd', before: 'foreign', commit: 'd' },
];

it.each([
  ['before the first landing', 'main', ['a', 'b', 'c', 'd']],
  ['after lanes that landed together', 'abc', ['d']],
  ['where somebody else had moved the branch', 'foreign', ['d']],
  ['at the tip', 'd', []],
  ['at a commit of which nothing is known', 'other', ['a', 'b', 'c', 'd']],
])('tells the lanes that landed since a base %s', (_, base, expected) => {
  expect(landedSince(LANDED, base)).toEqual(expected);
});

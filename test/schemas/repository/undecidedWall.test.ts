import { expect, test } from 'vitest';
import type { ConsentView } from '../../../schemas/repository/consent.ts';
import { undecidedWall } from '../../../schemas/repository/undecidedWall.ts';

const wrap = (state: ConsentView['state'], from: string): ConsentView => ({
  part: 'wrap',
  hash: 'h',
  state,
  lines: ['start agents with box'],
  from: [from],
});

test("the person's own wrap is a wall until the person decides, and a repository's wish is none", () => {
  const own = wrap('unknown', '/c/repositories/app.yaml');
  const setup: ConsentView = { ...own, part: 'worktree' };
  expect(undecidedWall([setup, own])).toBe(own);
  for (const none of [
    setup,
    wrap('unknown', 'devflow.yaml'),
    wrap('allowed', own.from[0] ?? ''),
    wrap('forbidden', own.from[0] ?? ''),
  ])
    expect(undecidedWall([none])).toBeUndefined();
});

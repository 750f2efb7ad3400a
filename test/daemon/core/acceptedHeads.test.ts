import { expect, test } from 'vitest';
import { acceptedHeads } from '../../../daemon/core/run/acceptedHeads.ts';
import type { Approval, Run } from '../../../daemon/core/run/state.ts';

const gate = (head: string | undefined, more: Partial<Approval> = {}): Approval =>
  ({
    kind: 'gate',
    state: 'approved',
    laneId: null,
    resolvedAt: '2026-01-01T00:00:00.000Z',
    subject: head === undefined ? {} : { worktree: { head } },
    ...more,
  }) as unknown as Approval;
const run = (more: Partial<Run>): Run =>
  ({ lastCommit: 'made', reviewHead: null, baseCommit: 'base', approvals: [], phases: [], ...more }) as unknown as Run;
const at = (second: number) => ({ resolvedAt: `2026-01-01T00:00:0${second}.000Z` });

test.each<[string, Partial<Run>, Record<string, string>]>([
  ['what devflow made last', {}, { made: 'devflow' }],
  ['the base of a run without commits', { lastCommit: null }, { base: 'start' }],
  ['the change that a run reviewed', { lastCommit: null, reviewHead: 'change' }, { change: 'start' }],
  [
    'what the last approved gate showed',
    { approvals: [gate('late', at(2)), gate('early', at(1))] },
    { made: 'devflow', late: 'gate' },
  ],
  ['each once', { approvals: [gate('made')] }, { made: 'gate' }],
  ['no gate that was refused', { approvals: [gate('late', { state: 'rejected' })] }, { made: 'devflow' }],
  [
    'no gate of a lane or of a cleanup',
    { approvals: [gate('l', { laneId: 'b' }), gate('c', { kind: 'cleanup' })] },
    { made: 'devflow' },
  ],
  ['gates of older runs, which show no commit', { approvals: [gate(undefined)] }, { made: 'devflow' }],
  [
    'what landed last',
    {
      phases: [
        { kind: 'lanes', dag: { landings: [{ commit: 'one' }, { commit: 'two' }] } },
      ] as unknown as Run['phases'],
    },
    { made: 'devflow', two: 'devflow' },
  ],
])('accepts %s', (_, more, expected) => {
  expect(acceptedHeads(run(more))).toEqual(Object.entries(expected).map(([commit, source]) => ({ commit, source })));
});

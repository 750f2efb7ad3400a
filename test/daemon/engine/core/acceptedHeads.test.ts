import { expect, test } from 'vitest';
import { acceptedHeads } from '../../../../daemon/engine/core/run/acceptedHeads.ts';
import type { Approval, Run } from '../../../../daemon/engine/core/run/state.ts';

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

test.each<[string, Partial<Run>, string[]]>([
  ['what devflow made last', {}, ['made']],
  ['the base of a run without commits', { lastCommit: null }, ['base']],
  ['the change that a run reviewed', { lastCommit: null, reviewHead: 'change' }, ['change']],
  ['what the last approved gate showed', { approvals: [gate('late', at(2)), gate('early', at(1))] }, ['made', 'late']],
  ['each once', { approvals: [gate('made')] }, ['made']],
  ['no gate that was refused', { approvals: [gate('late', { state: 'rejected' })] }, ['made']],
  [
    'no gate of a lane or of a cleanup',
    { approvals: [gate('l', { laneId: 'b' }), gate('c', { kind: 'cleanup' })] },
    ['made'],
  ],
  ['gates of older runs, which show no commit', { approvals: [gate(undefined)] }, ['made']],
  [
    'what landed last',
    { phases: [{ dag: { landings: [{ commit: 'one' }, { commit: 'two' }] } }] as unknown as Run['phases'] },
    ['made', 'two'],
  ],
])('accepts %s', (_, more, expected) => {
  expect(acceptedHeads(run(more))).toEqual(expected);
});

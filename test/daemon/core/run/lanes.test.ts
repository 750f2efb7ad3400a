import { describe, expect, test } from 'vitest';
import { laneOf, openSessionsOf, placeOf, readerDiffs, worktreeWith } from '../../../../daemon/core/run/lanes.ts';
import type { Lane, Phase, Run } from '../../../../daemon/core/run/state.ts';
import type { Behaviour } from '../../../../schemas/events/run.ts';
import { bound, given, started } from '../support/given.ts';
import { newRun } from '../support/run.ts';

/** A run with its main lane, and these after it. */
function withLanes(run: Run, ...lanes: Partial<Lane>[]): Run {
  const [main] = run.lanes;
  if (!main) throw new TypeError('a run has its main lane');
  return { ...run, lanes: [main, ...lanes.map((lane) => ({ ...main, ...lane }))] };
}

test('a lane that the run does not have is named', () => {
  const { run } = newRun();
  expect(() => laneOf(run, 'lane-9')).toThrow(`run ${run.id} has no lane lane-9`);
});

describe('the sessions that are open', () => {
  const { run } = given({}, bound, started);
  const [session] = run.sessions;
  if (!session) throw new TypeError('an agent has started');
  const inLane = { ...session, id: 'in lane', laneId: 'lane-1' };
  const sessionsIn = (state: Lane['state'], of: Run = run) =>
    openSessionsOf({ ...withLanes(of, { id: 'lane-1', state }), sessions: [session, inLane] }).map(({ id }) => id);

  test.each([
    ['all while their lanes are open', 'queued', [session.id, 'in lane']],
    ['not those whose lane has ended', 'landed', [session.id]],
  ] as const)('are %s', (_, state, open) => {
    expect(sessionsIn(state)).toEqual(open);
  });

  test('are none after the run', () => {
    expect(sessionsIn('open', { ...run, state: 'completed' })).toEqual([]);
  });
});

describe('the worktree with a file', () => {
  const run = withLanes(newRun().run, { id: 'lane-1', path: '/ws/lane-1' }, { id: 'lane-10', path: '/ws/lane-10' });

  test.each([
    ['of a lane', '/ws/lane-1/a.json', '/ws/lane-1'],
    ['of a lane whose path begins like another', '/ws/lane-10/a.json', '/ws/lane-10'],
    ['of the main lane', `${run.worktreeRoot}/a.json`, run.worktreeRoot],
    ['of no lane, which the run keeps', '/elsewhere/a.json', run.worktreeRoot],
  ])('is that %s', (_, path, worktree) => {
    expect(worktreeWith(run, path)).toBe(worktree);
  });
});

describe('the diffs that a reader finds', () => {
  const diffs = (behaviour: Behaviour, from: string | null) => {
    const { run } = newRun({ template: 'review', behaviour });
    const review = { rounds: [{ look: { base: 'base', from } }] };
    const phases = run.phases.map((phase) => (phase.kind === 'review' ? ({ ...phase, review } as Phase) : phase));
    const phaseId = phases.find(({ kind }) => kind === 'review')?.id ?? '';
    const reader = { id: 'reader', path: '/ws/reader', branch: '', base: 'seen', phaseId };
    return placeOf(withLanes({ ...run, phases }, reader), 'reader');
  };

  test('are the whole change, and the fix since the commit that was reviewed before', () => {
    expect(diffs(7, 'before')).toMatchObject({
      isDetached: true,
      startCommit: 'seen',
      head: 'seen',
      diffs: [
        {
          from: 'base',
          path: expect.stringMatching(/\/change\.diff$/),
          before: expect.stringMatching(/\/change-before$/),
        },
        { from: 'before', path: expect.stringMatching(/\/fix\.diff$/), before: expect.stringMatching(/\/fix-before$/) },
      ],
    });
  });

  test('are one in the first round', () => {
    expect(diffs(7, null).diffs?.map(({ from }) => from)).toEqual(['base']);
  });

  test.each([
    ['in older runs', () => diffs(4, null).diffs],
    ['unless it is asked for', () => readerDiffs('/ws/reader', 'review', { base: 'base', from: null })],
  ])('have no text of removed lines %s', (_, found) => {
    expect(found()).toEqual([{ from: 'base', path: expect.stringMatching(/\/change\.diff$/) }]);
  });
});

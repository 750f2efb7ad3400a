import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { done, given } from '../../core/support/given.ts';
import { TEMPLATES } from '../../core/support/templates.ts';
import { untilDue, untilEnd } from '../../core/support/unattended.ts';

const conflicting = () => {
  const start = given({ template: TEMPLATES.lanes, behaviour: 5 });
  const story = untilDue('prepareLane', untilDue('testMerge', start).on(done('testMerge', 2)));
  const effect = decide(story.run).find(({ type }) => type === 'prepareLane');
  if (effect?.type !== 'prepareLane') throw new TypeError('prepareLane is due');
  const { phaseId, laneId, onto } = effect;
  return { story, laneId, prepared: { type: 'lanePrepared' as const, phaseId, laneId, onto, head: 'late' } };
};

test('a lane that conflicts has as its head what its agent committed after its turn', () => {
  const { story, laneId, prepared } = conflicting();
  const begun = story.on({ ...prepared, conflicts: ['a.ts'] } satisfies Outcome);
  expect(begun.latest[0]?.payload).toMatchObject({ onto: { base: prepared.onto, late: 'late' } });
  expect(begun.run.lanes.find(({ id }) => id === laneId)?.head).toBe('late');
  const resolved = untilDue('commitResolution', begun);
  expect(decide(resolved.run)).toContainEqual(
    expect.objectContaining({
      type: 'commitResolution',
      lane: expect.objectContaining({ startCommit: 'late' }),
      onto: prepared.onto,
    }),
  );
  expect(untilEnd(resolved).run.state).toBe('completed');
});

test('a lane that no longer conflicts has the drift of late commits recorded, and is queued', () => {
  const { story, laneId, prepared } = conflicting();
  const { latest } = story.on({ ...prepared, conflicts: [], outside: ['other.txt'] } satisfies Outcome);
  expect(latest.map(({ type }) => type)).toEqual(['lane.finished', 'merge.enqueued', 'lane.drifted']);
  expect(latest.at(-1)?.payload).toMatchObject({ laneId, head: 'late', paths: ['other.txt'] });
});

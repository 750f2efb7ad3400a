import { describe, expect, it } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import { appliedAt } from '../../../../daemon/core/run/applied.ts';
import { onSignal } from '../../../../daemon/core/transition.ts';
import type { Applied } from '../../../../schemas/events/run.ts';
import { given } from '../support/given.ts';
import { untilEnd } from '../support/unattended.ts';

const ended = () => untilEnd(given({}));
const applied = (more: Partial<Applied> = {}) => ({
  type: 'applied' as const,
  ...{ target: 'main', commit: 'new', onto: 'old', head: 'work', way: 'merge' as const, ...more },
});

describe('work that a branch of the person got', () => {
  it('is recorded after the end, and the run stays as it was', () => {
    const story = ended();
    const after = story.on(applied()).records('run.applied').to({ run: 'completed' });
    expect(decide(after.run)).toEqual(decide(story.run));
    expect(after.latest[0]?.idempotencyKey).toBe(`run.applied:${after.run.id}:main:new`);
    const { applied: known, lastSeq, updatedAt, ...rest } = after.run;
    expect(rest).toEqual({ ...story.run, applied: undefined, lastSeq: undefined, updatedAt: undefined });
    expect(known).toEqual([{ target: 'main', commit: 'new', onto: 'old', head: 'work', way: 'merge', at: updatedAt }]);
    expect([lastSeq, appliedAt(story.run), appliedAt(after.run)]).toEqual([story.run.lastSeq + 1, null, updatedAt]);
  });

  it('is recorded once for a branch and a commit', () => {
    const once = ended().on(applied());
    expect(onSignal(once.run, applied({ onto: 'other' }), '2026-01-01')).toMatchObject({ events: [] });
    once.on(applied({ target: 'other' })).records('run.applied');
    once.on(applied({ commit: 'newer' })).records('run.applied');
  });

  it('is not recorded again if it is only found, wherever the branch is now', () => {
    const found = (more: Partial<Applied> = {}) => applied({ way: 'found', ...more });
    const once = ended().on(applied());
    expect(onSignal(once.run, found({ commit: 'later' }), '2026-01-01')).toMatchObject({ events: [] });
    once.on(found({ commit: 'later', head: 'more work' })).records('run.applied');
    ended().on(found()).records('run.applied');
  });

  it('is refused of an open run', () => {
    given({}).refuses(applied(), 'state_conflict');
  });
});

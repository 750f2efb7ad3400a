import { describe, expect, it } from 'vitest';
import { evolve, stamp } from '../../../../daemon/core/evolve/evolve.ts';
import { runTitle } from '../../../../daemon/core/run/title.ts';
import type { NewEvent } from '../../../../schemas/events/index.ts';
import { given } from '../support/given.ts';
import { createdPayload, newRun, second } from '../support/run.ts';

const ranked = (nth: number, rank: string, release?: true): NewEvent => ({
  type: 'run.ranked',
  phaseId: null,
  payload: { nth, rank, ...(release ? { release } : {}) },
});

function runAfter(...events: NewEvent[]) {
  return events.reduce(
    (run, event) => evolve(run, stamp(run.id, run.lastSeq, event, second(run.lastSeq))),
    newRun().run,
  );
}

describe('what a run began with', () => {
  it('is nothing beside its requirements, unless its start says more', () => {
    expect(newRun().run).toMatchObject({ here: false, after: null, schedule: null, rank: null, messages: [] });
  });

  it('is kept from its start', () => {
    const schedule = { id: 's1', occurrence: second(5) };
    const payload = { ...createdPayload(), here: true as const, after: 'r1', schedule };
    const run = evolve(undefined, stamp('r2', 0, { type: 'run.created', phaseId: null, payload }, second(0)));
    expect(run).toMatchObject({ here: true, after: 'r1', schedule });
  });
});

describe('the place of a run that waits for its beginning', () => {
  it('is the newest that a person chose', () => {
    expect(runAfter(ranked(1, 'b'), ranked(2, 'a')).rank).toEqual({ nth: 2, rank: 'a', isReleased: false });
  });

  it('stays released once it waits for no other run', () => {
    expect(runAfter(ranked(1, 'b', true), ranked(2, 'a')).rank).toEqual({ nth: 2, rank: 'a', isReleased: true });
  });
});

it('builds on the commit that its beginning names', () => {
  const { run } = given({});
  const payload = { bindings: [], inputHash: 'h', branch: 'devflow/r/main', base: 'newer' };
  const begun = evolve(run, stamp(run.id, run.lastSeq, { type: 'run.started', phaseId: null, payload }, second(1)));
  expect([begun.baseCommit, begun.lanes[0]?.base]).toEqual(['newer', 'newer']);
});

it('has the title that it was given later', () => {
  const event: NewEvent = { type: 'run.titled', phaseId: null, payload: { title: 'Tabs', from: 'agent' } };
  expect(runTitle(runAfter(event))).toBe('Tabs');
});

import { expect, test } from 'vitest';
import { decide } from '../../../daemon/core/decide.ts';
import { replay } from '../../../daemon/core/replay.ts';
import { waiting } from './support/agent.ts';
import { describeBehaviours } from './support/behaviours.ts';
import { abort, approve, commandOk, firstPhaseDone, pause, resume } from './support/given.ts';
import { createdPayload } from './support/run.ts';

describeBehaviours((given) => {
  test('a run without a phase plan is never planning', () => {
    expect(createdPayload({ template: 'withoutPlan' }).phases[0]?.seq).toBe(0);
    const { events, run } = given({ template: 'withoutPlan' }, ...firstPhaseDone, commandOk, approve);
    expect(run.state).toBe('completed');
    const states = events.map((_, index) => replay(events.slice(0, index + 1))?.state);
    expect([...new Set(states)]).toEqual(['created', 'bound', 'executing', 'awaiting_approval', 'completed']);
  });

  test('records why a person resumed a run', () => {
    const { events } = given({}, ...waiting, pause, { type: 'resume', reason: 'the disk is larger' }, pause, resume);
    expect(events.filter((event) => event.type === 'run.resumed').map((event) => event.payload)).toEqual([
      expect.objectContaining({ cause: 'manual:1', reason: 'the disk is larger' }),
      expect.not.objectContaining({ reason: expect.anything() }),
    ]);
  });

  test('disposes sessions and composes the report of an ended run until the report exists', () => {
    const over = given({}, ...waiting, abort).decides('disposeSessions', 'composeReport');
    expect(decide({ ...over.run, reportPath: '/ws/report.md' })).toEqual([]);
  });
});

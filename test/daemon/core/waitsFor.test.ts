import { expect, test } from 'vitest';
import { waitsFor } from '../../../daemon/core/waitsFor.ts';
import { session, waiting } from './support/agent.ts';
import { describeBehaviours } from './support/behaviours.ts';
import {
  abort,
  bound,
  done,
  failed,
  firstPhaseDone,
  given,
  type Input,
  pause,
  stalls,
  started,
} from './support/given.ts';
import { untilDue } from './support/unattended.ts';

describeBehaviours((given, behaviour) => {
  test('names whom a run waits for', () => {
    const parties = [
      given({}),
      given({}, ...waiting),
      given({}, ...waiting, pause),
      given({}, ...firstPhaseDone),
      given({}, ...waiting, failed('awaitArtifact', 'disk_full')),
      given({ template: 'withoutPlan' }, ...firstPhaseDone),
      given({}, abort),
    ].map(({ run }) => waitsFor(run)[0]);
    expect(parties).toMatchObject([
      { party: 'devflow', sentence: 'lockBindings' },
      { party: 'agent', sentence: expect.stringMatching(/^planner \(fake\) to write .*spec\.json$/) },
      { party: 'person', sentence: 'devflow run resume' },
      { party: 'person', sentence: 'a decision at spec_approved (spec)' },
      {
        party: 'person',
        sentence: behaviour >= 3 ? 'a decision at recovery (spec, planner)' : 'a decision at recovery (spec)',
      },
      { party: 'command', sentence: 'npm test' },
      undefined,
    ]);
  });

  test('says whom a run waits for and where', () => {
    const told = (...inputs: Input[]) => waitsFor(given({}, ...inputs).run)[0];
    const id = session(given({}, bound))?.id.slice(0, 8);
    const pane = `in its pane: devflow attach ${id}`;
    expect(told(...waiting, stalls('planner', 'permission'))).toMatchObject({
      party: 'person',
      sentence: `planner (fake) asks for permission: it is permission; answer it ${pane}`,
    });
    expect(told(bound, started, stalls('planner', 'draft'))).toMatchObject({
      party: 'person',
      sentence: `planner (fake) has an unsent draft: it is draft; send the draft or delete it ${pane}`,
    });
    expect(told(bound, stalls('planner', 'login'))).toMatchObject({
      sentence: `planner (fake) must be logged in: it is login; log in ${pane}`,
    });
    expect(told(...waiting, stalls('planner', 'quota', '2026-01-01T00:30:00.000Z'))).toEqual({
      party: 'agent',
      sentence: 'planner (fake) has reached its usage limit: it is quota; it waits until 2026-01-01 00:30:00 UTC',
    });
    expect(told(...waiting, stalls('planner', 'quota'))).toMatchObject({
      sentence: 'planner (fake) has reached its usage limit: it is quota; its end is unknown',
    });
    // Has no effect: the agent has no work now.
    expect(told(...firstPhaseDone, stalls('planner', 'draft'))).toMatchObject({
      party: 'person',
      sentence: expect.stringContaining('spec_approved'),
    });
  });

  test('names the agent that needs a person first', () => {
    const both = given(
      { template: 'twoInstances' },
      bound,
      stalls('writer#0', 'quota'),
      stalls('writer#1', 'permission'),
    );
    expect(waitsFor(both.run)[0]).toMatchObject({ party: 'person', sentence: expect.stringMatching(/^writer#1/) });
  });
});

test('names the lanes whose checks it waits for, or main', () => {
  const lanes = untilDue('testMerge', given({ template: 'lanes' }));
  expect(waitsFor(lanes.run)).toContainEqual({ party: 'command', sentence: 'the checks of lane-1' });
  const red = lanes.on(done('testMerge', 1));
  expect(waitsFor(red.run)).toContainEqual({ party: 'command', sentence: 'the checks of main' });
});

test('names a paused run first, and then its failures', () => {
  const asked = given({}, ...waiting, failed('awaitArtifact', 'disk_full'));
  const [gate] = waitsFor(asked.run);
  expect(gate).toMatchObject({ party: 'person', sentence: 'a decision at recovery (spec, planner)' });
  expect(waitsFor(asked.on(pause).run)).toEqual([{ party: 'person', sentence: 'devflow run resume' }, gate]);
});

test.each([
  ['permission', ['person']],
  ['quota', ['agent']],
  ['error', ['agent']],
  // The end of a turn opens a gate as well.
  ['idle', ['person', 'agent']],
  // devflow restarts it.
  ['hung', ['devflow']],
] as const)('names a stalled agent once: %s', (cause, parties) => {
  expect(waitsFor(given({}, ...waiting, stalls('planner', cause)).run).map(({ party }) => party)).toEqual(parties);
});

test('names nothing beside a gate that holds all', () => {
  expect(waitsFor(given({}, ...firstPhaseDone).run)).toEqual([
    { party: 'person', sentence: 'a decision at spec_approved (spec)', approvalRequestId: expect.any(String) },
  ]);
});

import { expect, test } from 'vitest';
import {
  BEGINNING,
  type Command,
  type Ending,
  isComplete,
  landed,
  moved,
  type PlanState,
  resumed,
  type View,
} from '../../../../daemon/engine/temporal/plan.ts';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const QUEUE = 'devflow-host-a';

function view(seq: number, keys: string[], more: Partial<View> = {}): View {
  return { seq, ended: false, queue: QUEUE, life: 1, wanted: keys.map((key) => ({ key, type: 'x' })), ...more };
}

/** A plan that says what it commands, by key. */
function givenPlan(first: View) {
  let state: PlanState = BEGINNING;
  const keyOf = (command: Command) => ('key' in command ? command.key : `#${command.id}`);
  const take = (step: { state: PlanState; commands: Command[] }) => {
    state = step.state;
    return step.commands.map((command) => `${command.do} ${keyOf(command)}`);
  };
  const begun = take(moved(state, first, NOW));
  return {
    begun,
    moved: (next: View) => take(moved(state, next, NOW)),
    landed: (id: number, ending: Ending) => take(landed(state, id, ending, NOW)),
    resumed: () => take(resumed(state, NOW)),
    isComplete: () => isComplete(state),
    state: () => state,
  };
}

test('begins what is wanted, and nothing twice', () => {
  const plan = givenPlan(view(1, ['a', 'b']));
  expect(plan.begun).toEqual(['perform a', 'perform b']);
  expect(plan.moved(view(1, ['a', 'b']))).toEqual([]);
  expect(plan.moved(view(2, ['b', 'c']))).toEqual(['cancel #1', 'perform c']);
});

test('takes the next view from the activity that ended, and ignores an older one', () => {
  const plan = givenPlan(view(1, ['a']));
  expect(plan.landed(1, { view: view(2, ['b']) })).toEqual(['perform b']);
  expect(plan.moved(view(1, ['a']))).toEqual([]);
});

test('does not begin an effect again that came to nothing, until the run moves', () => {
  const plan = givenPlan(view(1, ['a']));
  expect(plan.landed(1, { view: view(1, ['a']) })).toEqual([]);
  expect(plan.moved(view(1, ['a']))).toEqual([]);
  expect(plan.moved(view(2, ['a']))).toEqual(['perform a']);
});

test('begins an effect again whose attempt ended behind the run', () => {
  const plan = givenPlan(view(1, ['a']));
  plan.moved(view(3, ['a']));
  expect(plan.landed(1, { view: view(2, ['a']) })).toEqual(['perform a']);
});

test('begins everything again in a new life of the host', () => {
  const plan = givenPlan(view(1, ['a', 'b']));
  plan.landed(1, { view: view(1, ['a', 'b']) });
  expect(plan.moved(view(1, ['a', 'b'], { life: 2 }))).toEqual(['cancel #2', 'perform a', 'perform b']);
  expect(plan.moved(view(1, ['a', 'b'], { life: 1 }))).toEqual([]);
});

test('a view that another host made leaves the effects of the host alone', () => {
  const plan = givenPlan(view(1, ['a']));
  expect(plan.moved(view(2, ['a', 'b'], { life: undefined }))).toEqual(['perform b']);
  expect(plan.moved(view(3, ['a', 'b'], { life: 2 }))).toEqual(['cancel #1', 'cancel #2', 'perform a', 'perform b']);
});

test('waits for a time-out itself, and then has it recorded', () => {
  const gate = { key: 'gate', type: 'expireApproval', until: '2026-01-08T00:00:00.000Z' };
  const at = (seq: number) => ({ ...view(seq, []), wanted: [gate] });
  const plan = givenPlan(at(1));
  expect(plan.begun).toEqual(['timer gate']);
  expect(plan.moved(at(2))).toEqual([]);
  expect(plan.landed(1, { cause: 'fired' })).toEqual(['expire gate']);
  expect(plan.landed(2, { view: view(3, []) })).toEqual([]);
});

test('a time-out that has passed begins at once', () => {
  const wanted = [{ key: 'gate', type: 'expireApproval', until: '2025-12-31T00:00:00.000Z' }];
  expect(moved(BEGINNING, { ...view(1, []), wanted }, NOW).commands).toEqual([
    { do: 'timer', id: 1, key: 'gate', ms: 1 },
  ]);
});

test('says that a host takes no work, and tries the effect again once the host is back', () => {
  const plan = givenPlan(view(1, ['a']));
  expect(plan.landed(1, { cause: 'silent' })).toEqual(['silent a']);
  expect(plan.moved(view(1, ['a'], { life: 2 }))).toEqual(['cancel #2', 'perform a']);
});

test('waits for the run after an effect that cannot succeed', () => {
  const plan = givenPlan(view(1, ['a']));
  expect(plan.landed(1, { cause: 'failed' })).toEqual([]);
  expect(plan.moved(view(2, ['a']))).toEqual(['perform a']);
});

test('ignores the end of a flight that was cancelled, but not its view', () => {
  const plan = givenPlan(view(1, ['a']));
  plan.moved(view(2, ['b']));
  expect(plan.landed(1, { cause: 'failed' })).toEqual([]);
  expect(plan.landed(1, { view: view(3, ['c']) })).toEqual(['cancel #2', 'perform c']);
});

test('is complete once the run has ended and its last effects are over', () => {
  const plan = givenPlan(view(1, ['a']));
  plan.landed(1, { view: view(2, ['dispose', 'report'], { ended: true }) });
  plan.landed(2, { view: view(2, ['dispose', 'report'], { ended: true }) });
  expect(plan.isComplete()).toBe(false);
  plan.landed(3, { view: view(2, [], { ended: true }) });
  expect(plan.isComplete()).toBe(true);
});

test('a new execution begins again what went on, and knows what came to nothing', () => {
  const plan = givenPlan(view(1, ['a', 'b']));
  plan.landed(1, { view: view(1, ['a', 'b']) });
  const state = JSON.parse(JSON.stringify(plan.state())) as PlanState;
  expect(resumed(state, NOW).commands).toEqual([{ do: 'perform', id: 3, type: 'x', key: 'b', seq: 1, queue: QUEUE }]);
});

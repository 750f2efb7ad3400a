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
  UNKNOWN_RUN,
  type View,
} from '../../../../daemon/engine/temporal/plan.ts';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const QUEUE = 'devflow-host-a';

function view(seq: number, keys: string[], more: Partial<View> = {}): View {
  const wanted = keys.map((key) => ({ key, type: 'x' }));
  return { seq, ended: false, queue: QUEUE, life: 1, at: '2026-01-01T00:00:00.000Z', wanted, ...more };
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

test.each([
  ['asks nobody yet', {}],
  ['has ended', { ended: true }],
])('tries an effect again that no host took, if the run %s', (_, more) => {
  const plan = givenPlan(view(1, ['a'], more));
  plan.landed(1, { cause: 'silent' });
  expect(plan.landed(2, { view: view(1, ['a'], more) })).toEqual(['perform a']);
  expect(plan.isComplete()).toBe(false);
  // A history of an older version goes on as it began.
  const older = { at: undefined, ...more };
  const before = givenPlan(view(1, ['a'], older));
  before.landed(1, { cause: 'silent' });
  expect(before.landed(2, { view: view(1, ['a'], older) })).toEqual([]);
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

test('takes the first view of a new daemon, also if its log went back', () => {
  const plan = givenPlan(view(20, ['z']));
  expect(plan.moved(view(11, ['a'], { life: 2 }))).toEqual(['cancel #1', 'perform a']);
  expect(plan.moved(view(12, ['b'], { life: 2 }))).toEqual(['cancel #2', 'perform b']);
  // What the former daemon still says is about what is gone.
  expect(plan.moved(view(21, ['y'], { life: 1 }))).toEqual([]);
  expect(plan.state().view?.seq).toBe(12);
});

test('takes the views of a daemon whose life is a lower number: its database failed over', () => {
  const plan = givenPlan(view(20, ['z'], { life: 9 }));
  expect(plan.moved(view(20, ['z'], { life: 7 }))).toEqual(['cancel #1', 'perform z']);
  expect(plan.moved(view(21, ['y'], { life: 9 }))).toEqual([]);
  // Its next one, on a log that lost its end as well.
  expect(plan.moved(view(18, ['x'], { life: 8 }))).toEqual(['cancel #2', 'perform x']);
  expect(plan.moved(view(19, [], { life: 8 }))).toEqual(['cancel #3']);
  const state = JSON.parse(JSON.stringify(plan.state())) as PlanState;
  expect(state).toMatchObject({ view: { seq: 19, life: 8 }, former: [9, 7] });
  expect(moved(state, view(25, ['y'], { life: 7 }), NOW).commands).toEqual([]);
});

test('remembers no more lives than can matter', () => {
  const plan = givenPlan(view(1, []));
  for (let life = 2; life < 40; life += 1) plan.moved(view(life, [], { life }));
  expect(plan.state().former).toEqual(Array.from({ length: 16 }, (_, nth) => nth + 23));
});

test('takes the view of an attempt that found less in the log than was known when it began', () => {
  const plan = givenPlan(view(20, ['z']));
  expect(plan.landed(1, { view: view(11, ['a'], { life: 2 }) })).toEqual(['perform a']);
  const other = givenPlan(view(20, ['z']));
  expect(other.landed(1, { cause: 'silent' })).toEqual(['silent z']);
  // Another host says so, which has no life in this.
  expect(other.landed(2, { view: view(11, ['a'], { life: undefined }) })).toEqual(['perform a']);
  expect(other.moved(view(12, ['b'], { life: undefined }))).toEqual(['cancel #3', 'perform b']);
});

test('an attempt that began before the log went back takes nothing back', () => {
  const plan = givenPlan(view(20, ['y', 'z']));
  plan.landed(1, { cause: 'silent' });
  plan.moved(view(13, ['z', 'y'], { life: 2 }));
  const before = plan.state();
  expect(before.flights.map(({ seq }) => seq)).toEqual([13, 13]);
  expect(plan.landed(3, { view: view(11, ['a'], { life: undefined }) })).toEqual([]);
  expect(plan.state().view?.seq).toBe(13);
});

const atTime = (at: string, seq = 1): View => ({
  ...view(seq, []),
  at,
  wanted: [{ key: 'gate', type: 'expireApproval', until: '2026-01-01T00:01:00.000Z' }],
});

test.each([
  ['agrees', '2026-01-01T00:00:00.000Z', 60_000],
  ['is 90 s ahead', '2025-12-31T23:58:30.000Z', 150_000],
  ['is 30 s behind', '2026-01-01T00:00:30.000Z', 30_000],
])("a gate times out by the database's clock, when the workflow's %s", (_, at, ms) => {
  const { commands } = moved(BEGINNING, atTime(at), NOW);
  expect(commands).toEqual([{ do: 'timer', id: 1, key: 'gate', ms }]);
});

test('a time-out that is early waits for the rest', () => {
  const { state } = moved(BEGINNING, atTime('2026-01-01T00:00:00.000Z'), NOW);
  const fired = landed(state, 1, { cause: 'fired' }, NOW + 50_000);
  const asked = landed(fired.state, 2, { view: atTime('2026-01-01T00:00:50.000Z') }, NOW + 50_000);
  expect(asked.commands).toEqual([{ do: 'timer', id: 3, key: 'gate', ms: 10_000 }]);
  const again = landed(asked.state, 3, { cause: 'fired' }, NOW + 60_000);
  // Whoever records it says so by a later view; this one came to nothing.
  expect(landed(again.state, 4, { view: atTime('2026-01-01T00:01:00.000Z') }, NOW + 60_000).commands).toEqual([]);
});

test('a timer begins again when the clocks turn out to differ otherwise', () => {
  const { state } = moved(BEGINNING, atTime('2026-01-01T00:00:00.000Z'), NOW);
  expect(moved(state, atTime('2026-01-01T00:00:10.100Z', 2), NOW + 10_000).commands).toEqual([]);
  expect(moved(state, atTime('2026-01-01T00:00:40.000Z', 2), NOW + 10_000).commands).toEqual([
    { do: 'cancel', id: 1 },
    { do: 'timer', id: 2, key: 'gate', ms: 20_000 },
  ]);
});

test('ends with a run that the log no longer has, whoever says so', () => {
  const told = givenPlan(view(5, ['a', 'b'], { life: 7 }));
  expect(told.moved(UNKNOWN_RUN)).toEqual(['cancel #1', 'cancel #2']);
  expect(told.isComplete()).toBe(true);

  const found = givenPlan(view(5, ['a'], { life: 7 }));
  expect(found.landed(1, { view: UNKNOWN_RUN })).toEqual([]);
  expect(found.isComplete()).toBe(true);

  // An execution of an older version did not note when its effects began.
  const older = landed(
    { view: view(5, ['a']), flights: [{ id: 1, key: 'a', kind: 'perform' }], over: [], nextId: 2 },
    1,
    { view: UNKNOWN_RUN },
    NOW,
  );
  expect(older.commands).toEqual([]);
  expect(isComplete(older.state)).toBe(true);
});

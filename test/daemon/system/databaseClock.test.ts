import { expect, test } from 'vitest';
import { createDatabaseClock } from '../../../daemon/system/databaseClock.ts';

const DATABASE = Date.parse('2026-01-01T12:00:00.000Z');

/** A machine whose clock is `ahead` of the database's. */
function givenMachine(ahead: number) {
  let passed = 0;
  const state = { ahead };
  const clock = createDatabaseClock({ now: () => new Date(DATABASE + passed + state.ahead) }, () => passed);
  return {
    clock,
    state,
    pass: (ms: number) => {
      passed += ms;
    },
    /** The database reads its clock after `there`, and its answer takes `back`. */
    ask(there: number, back: number, now = DATABASE) {
      const askedAt = passed;
      passed += there;
      const answer = now + passed;
      passed += back;
      clock.heard(answer, askedAt);
    },
    now: () => clock.now().getTime() - DATABASE - passed,
  };
}

test("is the machine's clock until the database has said its time", () => {
  const machine = givenMachine(-90_000);
  expect(machine.now()).toBe(-90_000);
  expect(machine.clock.skewMs()).toBeNull();
  machine.ask(1, 1);
  expect(machine.clock.skewMs()).toBe(-90_000);
});

test.each([-90_000, 0, 90_000])(
  'is never ahead of the database, with the clock of the machine off by %i ms',
  (ahead) => {
    const machine = givenMachine(ahead);
    machine.ask(5, 20);
    expect(machine.now()).toBe(-20);
    machine.ask(30, 3);
    expect(machine.now()).toBe(-3);
    // An answer that took long says less.
    machine.ask(500, 500);
    expect(machine.now()).toBe(-3);
    machine.pass(60_000);
    expect(machine.now()).toBe(-3);
  },
);

test('ignores a clock of the machine that is set, and says so', () => {
  const machine = givenMachine(0);
  machine.ask(0, 0);
  machine.state.ahead = 3_600_000;
  expect(machine.now()).toBe(0);
  machine.ask(1, 1);
  expect(machine.now()).toBe(0);
  expect(machine.clock.skewMs()).toBe(3_600_000);
});

test('follows a database whose clock was set, as after a fail-over', () => {
  const machine = givenMachine(0);
  machine.ask(1, 1);
  machine.ask(1, 1, DATABASE - 40_000);
  expect(machine.now()).toBeGreaterThanOrEqual(-40_000);
  expect(machine.now()).toBeLessThanOrEqual(-40_000 + 2);
  machine.ask(1, 1, DATABASE + 40_000);
  expect(machine.now()).toBe(40_000 - 1);
});

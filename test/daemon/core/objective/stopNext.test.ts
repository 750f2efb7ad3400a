import { describe, expect, test } from 'vitest';
import { type StopFacts, stopNext } from '../../../../daemon/core/objective/stopNext.ts';
import type { StopReason } from '../../../../schemas/objective/measured.ts';
import type { ObjectiveDocument } from '../../../../schemas/objective/readObjective.ts';
import { objectiveOf } from './givenObjective.ts';

const HOLDOUT = { holdout: { from: '2023', to: '2023' } };
const LIMITS: ObjectiveDocument['stop'] = { maxIterations: 9, plateau: { patience: 3 }, maxInvalid: 2 };
const MINUTE = 60_000;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1) + minute * MINUTE).toISOString();

/** `+` kept, `.` valid and not kept, `x` a crash; each takes a minute. */
function iterationsOf(history: string): StopFacts['iterations'] {
  return [...history].map((mark, index) => ({
    status: mark === 'x' ? ('invalid' as const) : ('valid' as const),
    isKept: mark === '+',
    startedAt: at(index),
    endedAt: at(index + 1),
  }));
}

function factsOf(history: string, more: Partial<StopFacts> = {}): StopFacts {
  return { tampered: [], isMet: false, holdout: 'closed', ...more, iterations: iterationsOf(history) };
}

const stopOf = (history: string, more: Partial<StopFacts> = {}, given: Partial<ObjectiveDocument> = {}) =>
  stopNext(objectiveOf({ stop: LIMITS, ...given }), factsOf(history, more));

/** The first iteration that ends the loop, and why; null if it goes on. */
function endOf(history: string, given: Partial<ObjectiveDocument> = {}): [number, StopReason] | null {
  for (let nth = 1; nth <= history.length; nth += 1) {
    const stop = stopOf(history.slice(0, nth), {}, given);
    if (stop) return [nth, stop.reason];
  }
  return null;
}

describe('the exact iteration and reason of every stop', () => {
  test.each<[string, [number, StopReason] | null]>([
    ['', null],
    ['..', null],
    ['...', [3, 'plateau']],
    ['+...', [4, 'plateau']],
    ['..+..', null],
    ['..+...', [6, 'plateau']],
    ['x', null],
    ['xx', [2, 'invalid']],
    ['x.x.x', null],
    ['x.x.x.', [6, 'plateau']],
    ['.x.x+x', null],
    ['.x.xx', [5, 'invalid']],
    ['..x.', [4, 'plateau']],
    ['..xx', [4, 'invalid']],
    ['++++++++', null],
    ['+++++++++', [9, 'budget']],
    ['..+..+..+', [9, 'budget']],
    ['+++++++xx', [9, 'budget']],
    ['++++++...', [9, 'budget']],
  ])('%s: %j', (history, end) => {
    expect(endOf(history)).toEqual(end);
  });

  test('of the defaults: 20 iterations, 5 without a gain, 3 invalid', () => {
    expect(endOf('+'.repeat(30), { stop: {} })).toEqual([20, 'budget']);
    expect(endOf('+'.repeat(3) + '.'.repeat(9), { stop: {} })).toEqual([8, 'plateau']);
    expect(endOf(`+.${'x'.repeat(9)}`, { stop: {} })).toEqual([5, 'invalid']);
  });

  test('by wall time: from the first start to the last end', () => {
    const within = (minutes: number) => ({ stop: { ...LIMITS, maxWallMs: minutes * MINUTE } });
    expect(endOf('++++++', within(4))).toEqual([4, 'budget']);
    expect(endOf('+++', within(4))).toBeNull();
    expect(stopOf('++++', {}, within(4))?.detail).toBe('the iterations took 240 s, and 240 s are allowed');
  });
});

describe('a crash', () => {
  test.each(['x', '.x', '..x', '+..x', '.x.x', '..x'])('never advances the plateau: %s', (history) => {
    const patient = { stop: { ...LIMITS, maxInvalid: 99 } };
    expect(stopOf(history, {}, patient)).toBeNull();
    expect(stopOf(`${history}${'x'.repeat(4)}`, {}, patient)).toBeNull();
  });

  test('does not end the row of iterations without a gain', () => {
    expect(endOf('..x.')).toEqual([4, 'plateau']);
  });
});

describe('the first reason that holds', () => {
  const touched = { tampered: ['settings.json is protected', 'the seed is 2 and was 1'] };

  test('tampering comes before all others', () => {
    const all = { ...touched, isMet: true, holdout: 'met' as const };
    expect(stopOf('xxxxxxxxx', all)).toEqual({
      reason: 'tampered',
      detail: 'settings.json is protected; the seed is 2 and was 1',
    });
  });

  test('met comes before the limits', () => {
    expect(stopOf('+++++++++', { isMet: true })?.reason).toBe('met');
    expect(stopOf('+++++++++', { isMet: true, holdout: 'met' }, { splits: HOLDOUT })?.reason).toBe('met');
  });

  test('a missed holdout comes before the limits', () => {
    expect(stopOf('+++++++++', { isMet: true, holdout: 'missed' }, { splits: HOLDOUT })?.reason).toBe('holdout');
  });

  test('a holdout that was not measured is not met', () => {
    expect(stopOf('+', { isMet: true }, { splits: HOLDOUT })).toBeNull();
    expect(stopOf('+++++++++', { isMet: true }, { splits: HOLDOUT })?.reason).toBe('budget');
  });

  test('a missed holdout alone is no reason', () => {
    expect(stopOf('+', { holdout: 'missed' }, { splits: HOLDOUT })).toBeNull();
  });

  test('invalid comes before plateau', () => {
    const stop = { ...LIMITS, plateau: { patience: 2 } };
    expect(stopOf('..xx', {}, { stop })?.reason).toBe('invalid');
  });
});

describe('the base, before any iteration', () => {
  test('can be met or tampered with', () => {
    expect(stopOf('', { isMet: true })?.reason).toBe('met');
    expect(stopOf('', { tampered: ['data.csv is protected'] })?.reason).toBe('tampered');
  });

  test('goes on otherwise, also with a missed holdout', () => {
    expect(stopOf('', { isMet: true, holdout: 'missed' }, { splits: HOLDOUT })).toBeNull();
    expect(stopOf('', {}, { stop: { maxIterations: 1, maxWallMs: 1000 } })).toBeNull();
  });
});

test('a person reads at the gate why the loop ended', () => {
  expect(stopOf('+++++++++')?.detail).toBe('9 iterations did not meet the objective');
  expect(stopOf('+', {}, { stop: { maxIterations: 1 } })?.detail).toBe('1 iteration did not meet the objective');
  expect(stopOf('xx')?.detail).toBe('the last 2 iterations could not be measured');
  expect(stopOf('...')?.detail).toBe('3 valid iterations in a row brought no gain');
});

test('a time that is no time ends nothing', () => {
  const iterations = [{ status: 'valid' as const, isKept: true, startedAt: '', endedAt: '' }];
  const objective = objectiveOf({ stop: { maxWallMs: 1000 } });
  expect(stopNext(objective, { tampered: [], isMet: false, holdout: 'closed', iterations })).toBeNull();
});

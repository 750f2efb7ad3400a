import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shape } from './support/run.ts';
import { SETUP } from './support/setup.ts';
import { hopelessIn, type Troubles, walk } from './support/walk.ts';

const SMALL_SETUP = { ...SETUP, commands: [{ argv: ['npm', 'ci'] }] };
/** It is never out of date. */
const SET_UP_ONCE = { ...SMALL_SETUP, again: [] };

const SMALL: [string, Shape, Troubles][] = [
  ['an agent phase, then a command phase with a gate', { template: 'withoutPlan' }, 'no stalls'],
  ['an agent phase with behaviour 2', { template: 'withoutGate', behaviour: 2 }, 'no stalls'],
  ['two agents side by side', { template: 'twoInstances' }, 'no deaths'],
  ['a set-up, then commands', { template: 'onlyCommands', setup: SET_UP_ONCE }, 'all'],
  ['commands alone', { template: 'onlyCommands', approvalTimeoutMs: 5_000 }, 'all'],
  ['commands alone with behaviour 2', { template: 'onlyCommands', approvalTimeoutMs: 5_000, behaviour: 2 }, 'all'],
];
/** Takes ten seconds: in `npm run test:long`. */
const MIDDLE: typeof SMALL = [
  ['an agent phase that stalls, then a command phase with a gate', { template: 'withoutPlan' }, 'all but errors'],
];
/**
 * Takes minutes: for a change to the core, with DEVFLOW_TEST_EXHAUSTIVE=1. With several agents it leaves out stalls,
 * which are the same for each session and would take hours.
 */
const LARGE: [string, Shape, Troubles][] = [
  ['a set-up that is done again, then commands', { template: 'onlyCommands', setup: SMALL_SETUP }, 'all'],
  [
    'a guessed set-up, then an agent',
    { template: 'withoutGate', setup: { ...SMALL_SETUP, isGuess: true } },
    'no stalls',
  ],
  ['an agent phase, then commands, with behaviour 2', { template: 'withoutPlan', behaviour: 2 }, 'all but errors'],
  ['an agent phase, where turns end in errors', { template: 'withoutPlan' }, 'all'],
  [
    'an agent phase, then a command phase with a gate that times out',
    { template: 'withoutPlan', approvalTimeoutMs: 5_000 },
    'no stalls',
  ],
  ['a phase with two gates, then another role', { template: 'twoGates' }, 'no stalls'],
  ['three agents side by side', { template: 'threeReaders' }, 'no deaths'],
];

const { DEVFLOW_TEST_EXHAUSTIVE: exhaustive, DEVFLOW_TEST_LONG: long } = process.env;

test.each([...SMALL, ...(exhaustive || long ? MIDDLE : []), ...(exhaustive ? LARGE : [])])(
  'every state of %s is lawful and has a way to completion',
  { timeout: 600_000 },
  (name, shape, troubles) => {
    const found = walk(shape, troubles);
    console.log(`${name}: ${found.states.length} states, ${found.steps} steps`);
    expect(found.states.some(({ run }) => run === 'completed')).toBe(true);
    expect(hopelessIn(found)).toEqual([]);
  },
);

// Each of the many refused signals would collect a stack trace, which takes a good part of the time.
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

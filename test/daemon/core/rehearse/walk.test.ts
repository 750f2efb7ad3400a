import { expect, test } from 'vitest';
import { beginningOf, keyOf, type Place, stepsFrom, walkInParts } from '../../../../daemon/core/rehearse/walk.ts';
import { manyPhases } from './manyPhases.ts';

/** Three phases of agents, then a command with a gate. */
const TEMPLATE = manyPhases(4);

/** What can come next, in words. */
const wordsAt = (place: Place) => stepsFrom(place).map(({ words }) => words);

/** Takes the steps with these words, and whatever comes first in between. */
function follow(words: readonly string[], from = beginningOf(TEMPLATE)): Place {
  let place = from;
  for (const wanted of words) {
    for (let tries = 0; ; tries += 1) {
      const steps = stepsFrom(place);
      const step = steps.find((each) => each.words.includes(wanted)) ?? steps[0];
      if (!step || tries > 50) throw new Error(`no path leads to ${wanted}: ${wordsAt(place)}`);
      place = step.place;
      if (step.words.includes(wanted)) break;
    }
  }
  return place;
}

/** Takes what comes first until a person is asked. */
function untilAsked(place: Place): Place {
  const [first] = stepsFrom(place);
  if (!first) throw new Error('nobody is asked');
  return first.isPersons ? place : untilAsked(first.place);
}

const VALID = 'role-0 writes a valid';

test('an agent can write something valid or invalid, be late, or end', () => {
  expect(wordsAt(follow(['role-0 gets the prompt']))).toEqual([
    'role-0 writes a valid dev/implementation@1',
    'role-0 writes an invalid dev/implementation@1',
    'role-0 misses the deadline',
    'the agent of role-0 ends',
  ]);
});

test('what went wrong once goes wrong in the same way until a person is asked', () => {
  expect(wordsAt(follow(['writes an invalid', 'gets the prompt']))).toEqual([
    'role-0 writes a valid dev/implementation@1',
    'role-0 writes an invalid dev/implementation@1',
  ]);
  expect(wordsAt(untilAsked(follow(['writes an invalid', 'writes an invalid'])))).toEqual([
    'a person approves recovery of make-0',
    'a person rejects recovery of make-0',
    'a person asks for changes at recovery of make-0',
  ]);
});

test('a command passes, fails, takes too long, or cannot be run', () => {
  const atWork = follow(['role-2 writes a valid']);
  const running = (place: Place): Place =>
    wordsAt(place)[0]?.startsWith('npm test') ? place : running(stepsFrom(place)[0]?.place as Place);
  expect(wordsAt(running(atWork))).toEqual([
    'npm test: exit 0',
    'npm test: exit 1',
    'npm test: timed out',
    'npm test: cannot be run',
  ]);
});

test('a person can approve, reject or ask for changes at a gate, and asks once on a path', () => {
  const gate = follow(['npm test: exit 0']);
  const atGate = untilAsked(gate);
  expect(wordsAt(atGate)).toEqual([
    'a person approves accepted of check-3',
    'a person rejects accepted of check-3',
    'a person asks for changes at accepted of check-3',
  ]);
  const again = untilAsked(follow(['asks for changes', 'npm test: exit 0'], atGate));
  expect(wordsAt(again)).toEqual(['a person approves accepted of check-3', 'a person rejects accepted of check-3']);
});

test('two places are one state if the same can come next, however they were reached', () => {
  const straight = follow([VALID, 'role-1 gets the prompt']);
  const repaired = follow(['writes an invalid', VALID, 'role-1 gets the prompt']);
  expect(repaired.run).not.toEqual(straight.run);
  expect(keyOf(repaired)).toBe(keyOf(straight));
  const waiting = follow(['role-0 gets the prompt']);
  expect(keyOf(follow(['writes an invalid', 'role-0 gets the prompt']))).not.toBe(keyOf(waiting));
  expect(keyOf({ ...waiting, again: 1 })).not.toBe(keyOf(waiting));
});

test('a walk ends at its limit and says so', () => {
  const parts = walkInParts(TEMPLATE, 20);
  let last = parts.next();
  while (!last.done) last = parts.next();
  expect(last.value.isCut).toBe(true);
  expect(last.value.nodes.length).toBeLessThan(40);
});

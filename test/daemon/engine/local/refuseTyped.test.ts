import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import { refuseTyped } from '../../../../daemon/engine/local/refuseTyped.ts';
import type { TypedSoFar } from '../../../../daemon/sessions/contract/adapter.ts';
import { firstPhaseDone, given, type Input } from '../../core/support/given.ts';
import { message, settles } from '../../core/support/messages.ts';
import { outcomesOf } from '../../core/support/outcomes.ts';

const failing: Input = (run) => {
  const effect = decide(run).find(({ type }) => type === 'sendMessage');
  const failed = effect && outcomesOf(effect, run).find(({ type }) => type === 'effectFailed');
  if (!failed) throw new TypeError('no message is sent');
  return failed;
};

/** The code of the refusal; undefined if the message may be taken back. */
function refusal(typed: TypedSoFar, ...inputs: Input[]): string | undefined {
  const { run } = given({}, ...firstPhaseDone, message('planner'), ...inputs);
  try {
    refuseTyped(run, 'm1', { typedOf: () => typed });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test('a message that devflow has typed is not taken back', () => {
  expect(refusal('nothing')).toBeUndefined();
  expect(refusal('typed')).toContain('cannot be taken back');
});

test('a message in doubt is taken back once a person says that the agent lacks it', () => {
  expect(refusal('in doubt', failing)).toContain('Nobody knows');
  expect(refusal('in doubt', failing, settles(false))).toBeUndefined();
  expect(refusal('typed', failing, settles(false))).toContain('cannot be taken back');
});

test('a failure before it was typed leaves it to be taken back', () => {
  expect(refusal('nothing', failing)).toBeUndefined();
});

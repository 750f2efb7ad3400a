import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectOf } from '../../../../daemon/core/effect/effect.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import { session, work } from '../support/agent.ts';
import {
  approve,
  bound,
  decision,
  dies,
  failed,
  given,
  recovered,
  type Story,
  sent,
  started,
} from '../support/given.ts';

const before = given({}, bound, started);
const asked = before.on(failed('sendPrompt', 'delivery_uncertain'));
const due = ({ run }: Story) => decide(run).find(({ type }) => type === 'sendPrompt') as EffectOf<'sendPrompt'>;

test('a person decides whether an agent took its prompt; devflow sends nothing twice by itself', () => {
  asked
    .records('approval.requested')
    .to({ run: 'paused', approvals: { delivery_uncertain: 'pending' } })
    .decides();
  expect(asked.run.approvals[0]).toMatchObject({ kind: 'recovery', assignment: 'planner' });
});

test('a prompt that was taken is recorded as it is', () => {
  const taken = asked.on(approve).decides('sendPrompt');
  expect(due(taken)).toMatchObject({ envelope: due(before).envelope, assumeTaken: true });
  taken.on(sent).records('prompt.sent', 'artifact.expected', 'session.busy').decides('awaitArtifact');
  expect(work(taken.on(sent))).toMatchObject({ attempt: 1, settled: null });
});

test('the same prompt is sent again only if a person wants it', () => {
  const again = asked.on(decision('request_changes')).decides('sendPrompt');
  expect(due(again)).toMatchObject({ envelope: due(before).envelope, assumeTaken: false });
  // That can be as uncertain.
  const twice = again.on(failed('sendPrompt', 'delivery_uncertain')).to({ run: 'paused' });
  expect(new Set(twice.run.approvals.map(({ id }) => id)).size).toBe(2);
  expect(replay(twice.events)).toEqual(twice.run);
  const third = due(twice.on(decision('request_changes', null, 'token 2')));
  expect(third.key).not.toBe(due(again).key);
  expect([due(again).answer, third.answer]).toEqual([1, 2]);
});

test('a comment makes it another prompt', () => {
  const other = asked.on(decision('request_changes', 'Be short.'));
  expect(due(other)).not.toHaveProperty('assumeTaken');
  expect(due(other).envelope).toMatchObject({ attempt: 2, instructions: expect.stringContaining('Be short.') });
});

test('an answer is about one program only', () => {
  const replaced = asked.on(approve, dies('planner'), recovered);
  expect(session(replaced)?.recoveryAttempts).toBe(1);
  expect(due(replaced)).not.toHaveProperty('assumeTaken');
});

import { expect, test } from 'vitest';
import { decide } from '../../../daemon/core/decide.ts';
import type { EffectOf, EffectType } from '../../../daemon/core/effect/effect.ts';
import { bound, firstPhaseDone, given, pause, phaseDone, resume, type Story, started } from './support/given.ts';
import { SETUP, setUp } from './support/setup.ts';

const effectOf = <T extends EffectType>(type: T, { run }: Pick<Story, 'run'>): EffectOf<T> =>
  decide(run).find((effect): effect is EffectOf<T> => effect.type === type) ?? expect.fail(`${type} is not due`);

test('at its end a run disposes of each of its sessions', () => {
  const story = given({ template: 'withoutGate' }, ...firstPhaseDone).to({ run: 'completed' });
  const [session] = story.run.sessions;
  expect(effectOf('disposeSessions', story).sessions).toEqual([{ sessionId: session?.id, backend: 'fake' }]);
});

test('a gate that is asked again after a pause has another timer', () => {
  const asked = given({ approvalTimeoutMs: 1_000 }, ...firstPhaseDone);
  const again = asked.on(pause, resume);
  const [before, after] = [effectOf('expireApproval', asked), effectOf('expireApproval', again)];
  expect(after.approvalRequestId).toBe(before.approvalRequestId);
  expect(after.key).not.toBe(before.key);
});

test('the time of a command counts from its start, if its worktree was set up before', () => {
  const story = given({ template: 'withoutPlan', setup: SETUP }, bound, ...setUp, started, ...phaseDone);
  const command = story.run.commands.findLast(({ state }) => state === 'started');
  const endedAt = story.run.lanes[0]?.setup?.endedAt ?? expect.fail('the worktree is set up');
  const { startedAt } = effectOf('runCommand', story);
  expect(startedAt).toBe(command?.startedAt);
  expect(startedAt > endedAt).toBe(true);
});

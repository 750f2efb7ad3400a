import { describe, expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectOf, EffectType } from '../../../../daemon/core/effect/effect.ts';
import type { Sandbox } from '../../../../schemas/sandbox.ts';
import { bound, commandOk, given, phaseDone, type Story, started } from '../support/given.ts';
import { finished, placed, SETUP, setUp } from '../support/setup.ts';

const effectOf = <T extends EffectType>(type: T, { run }: Story): EffectOf<T> => {
  const found = decide(run).find((effect): effect is EffectOf<T> => effect.type === type);
  return found ?? expect.fail(`${type} is not due`);
};
const AGENTS: Sandbox = { level: 'agents', by: 'bubblewrap 0.8.0' };
const ALL: Sandbox = { ...AGENTS, level: 'all', network: 'off' };

describe('a sandbox', () => {
  test('is part of the start of each agent, with the words of the person', () => {
    const story = given({ sandbox: AGENTS, wrap: ['nice'] }, bound);
    expect(effectOf('startSession', story).session).toMatchObject({ sandbox: AGENTS, wrap: ['nice'] });
    expect(effectOf('sendPrompt', story.on(started)).session.sandbox).toEqual(AGENTS);
  });

  test('is part of no effect of a run without one', () => {
    const { session } = effectOf('startSession', given({}, bound));
    expect('sandbox' in session || 'wrap' in session).toBe(false);
  });

  test('is part of commands only if it is for all', () => {
    const at = (sandbox: Sandbox) => given({ template: 'withoutPlan', sandbox }, bound, started, ...phaseDone);
    expect(effectOf('runCommand', at(ALL)).sandbox).toEqual(ALL);
    expect('sandbox' in effectOf('runCommand', at(AGENTS))).toBe(false);
  });

  test('is part of the commands of a set-up', () => {
    expect(effectOf('runCommand', given({ setup: SETUP, sandbox: ALL }, bound, placed)).sandbox).toEqual(ALL);
  });

  test('shows what the worktree links to in the checkout', () => {
    const links = { path: '.cache/models', how: 'linked' as const, files: 1, bytes: 1 };
    const story = given({ setup: SETUP, sandbox: { ...AGENTS, read: ['/opt/x'] } }, bound, (run) => {
      const outcome = typeof placed === 'function' ? placed(run) : placed;
      return { ...outcome, placed: [links] } as typeof outcome;
    });
    const { session } = effectOf('startSession', story.on(commandOk, commandOk, finished));
    expect(session.sandbox?.read).toEqual(['/opt/x', '/repo/.cache/models']);
  });

  test('is the same after the set-up', () => {
    expect(effectOf('startSession', given({ setup: SETUP, sandbox: ALL }, bound, ...setUp)).session.sandbox).toEqual(
      ALL,
    );
  });
});

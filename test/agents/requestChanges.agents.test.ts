import { expect, test } from 'vitest';
import { proveEnd } from '../e2e/support.ts';
import { type Answer, type Asked, drive } from '../helpers/drive.ts';
import { PROGRAMS } from './programs/pins.ts';
import { deliveriesOf, quickRun } from './support/realDaemon.ts';

/** How often a person requests changes. */
const CHANGES = 2;

test.each(PROGRAMS)(
  '%s gets each request for changes once in one conversation, its daemon killed at each',
  async (program) => {
    const { daemon, env, runId, model } = await quickRun(program);
    const decide = ({ kind, attempt }: Asked): Answer | undefined => {
      if (kind === 'turn') return undefined;
      return attempt > CHANGES ? { action: 'approve' } : { action: 'request_changes', comment: `Change ${attempt}.` };
    };
    for (let attempt = 1; attempt <= CHANGES + 1; attempt++) {
      const isAsked = (type: string, payload: Record<string, unknown>) =>
        type === 'prompt.sent' && payload.attempt === attempt;
      await drive(daemon, runId, { decide, stopAt: ({ type, payload }) => isAsked(type, payload) });
      await daemon.kill('SIGKILL');
      await daemon.start(env);
    }
    await drive(daemon, runId, { decide });
    await proveEnd(daemon, runId, 'completed');
    const prompts = model.conversation();
    expect(prompts.map((uuid) => model.turns(uuid))).toEqual([1, 1, 1]);
    expect(deliveriesOf(model)).toEqual([1, 1, 1]);
    expect(model.merged).toEqual([]);
    expect(prompts.map((uuid) => /Change \d\./.exec(model.textOf(uuid) ?? '')?.[0])).toEqual([
      undefined,
      'Change 1.',
      'Change 2.',
    ]);
  },
);

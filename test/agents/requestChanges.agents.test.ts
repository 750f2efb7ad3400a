import { expect, test } from 'vitest';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { proveEnd } from '../e2e/support.ts';
import { type Answer, type Asked, drive } from '../helpers/drive.ts';
import { until } from '../helpers/until.ts';
import { PROGRAMS } from './programs/pins.ts';
import { deliveriesOf, quickRun } from './support/realDaemon.ts';

/** How often a person requests changes. */
const CHANGES = 2;

test.each(PROGRAMS)(
  '%s gets each request for changes once in one conversation, its daemon killed at each',
  async (program) => {
    const { daemon, env, runId, model } = await quickRun(program);
    const decide = ({ kind, attempt }: Asked): Answer | undefined => {
      if (kind === 'turn' || attempt > CHANGES) return undefined;
      return { action: 'request_changes', comment: `Change ${attempt}.` };
    };
    for (let attempt = 1; attempt <= CHANGES + 1; attempt++) {
      const isAsked = (type: string, payload: Record<string, unknown>) =>
        type === 'prompt.sent' && payload.attempt === attempt;
      await drive(daemon, runId, { decide, stopAt: ({ type, payload }) => isAsked(type, payload) });
      await daemon.kill('SIGKILL');
      await daemon.start(env);
    }
    const isLast = ({ type, payload }: EventView) => type === 'approval.requested' && Number(payload.attempt) > CHANGES;
    await drive(daemon, runId, { decide, stopAt: isLast });
    const prompts = model.conversation();
    // At the end of the run a program is ended, whose file can be there before its last words.
    await until('the last turn is closed', () => model.closed(prompts.at(-1) ?? ''));
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
    expect(model.conversation()).toEqual(prompts);
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

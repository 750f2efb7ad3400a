import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { resolveAttachTarget } from '../attachTarget.ts';
import { nextInNeed } from '../mostInNeed.ts';
import type { Handler, SessionsPort } from '../ports.ts';

export const sessionAttachTarget: Handler<'session.attachTarget'> = async ({ target, next }, { reads, sessions }) => {
  if (next === undefined) return sessions.attachTarget(await resolveAttachTarget(target, reads));
  if (target === undefined) return firstWithPane(await nextInNeed(reads, next.after), sessions);
  throw new DevflowError('usage', 'target and next both say which session it is; keep one of them');
};

async function firstWithPane(ids: string[], sessions: SessionsPort): Promise<RpcResult<'session.attachTarget'>> {
  for (const sessionId of ids) {
    try {
      return await sessions.attachTarget(sessionId);
    } catch (error) {
      if (!(error instanceof DevflowError) || error.code !== 'state_conflict') throw error;
    }
  }
  if (ids.length === 0)
    throw new DevflowError('not_found', 'no agent needs you', { recoveryHint: 'All go on by themselves.' });
  throw new DevflowError('not_found', 'no agent that needs you has a pane', {
    recoveryHint: 'See devflow approval list.',
  });
}

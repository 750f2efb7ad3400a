import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { resolveAttachTarget } from '../attachTarget.ts';
import { mostInNeed, nextInNeed } from '../mostInNeed.ts';
import type { Handler, ReadsPort, SessionsPort } from '../ports.ts';

type Target = RpcResult<'session.attachTarget'>;

export const sessionAttachTarget: Handler<'session.attachTarget'> = async ({ target, next }, { reads, sessions }) => {
  if (target === undefined) return next === undefined ? most(reads, sessions) : nextAfter(next.after, reads, sessions);
  if (next === undefined) return sessions.attachTarget(await resolveAttachTarget(target, reads));
  throw new DevflowError('usage', 'target and next both say which session it is; keep one of them');
};

async function most(reads: ReadsPort, sessions: SessionsPort): Promise<Target> {
  const [first, ...others] = await mostInNeed(reads);
  // One whose agent went down with its tmux server needs a person too, but not in a pane.
  return (await firstWithPane([first, ...others], sessions)) ?? sessions.attachTarget(first);
}

async function nextAfter(shown: string | undefined, reads: ReadsPort, sessions: SessionsPort): Promise<Target> {
  const ids = await nextInNeed(reads, shown);
  const found = await firstWithPane(ids, sessions);
  if (found) return found;
  if (ids.length === 0)
    throw new DevflowError('not_found', 'no agent needs you', { recoveryHint: 'All go on by themselves.' });
  throw new DevflowError('not_found', 'no agent that needs you has a pane', {
    recoveryHint: 'See devflow approval list.',
  });
}

async function firstWithPane(ids: string[], sessions: SessionsPort): Promise<Target | undefined> {
  for (const sessionId of ids) {
    try {
      return await sessions.attachTarget(sessionId);
    } catch (error) {
      if (!(error instanceof DevflowError) || error.code !== 'state_conflict') throw error;
    }
  }
  return undefined;
}

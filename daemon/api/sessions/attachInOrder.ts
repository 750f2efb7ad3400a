import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { type AttentionReads, attentionOrder, nextForAttention } from './attentionOrder.ts';

type Target = RpcResult<'session.attachTarget'>;

/** Throws `state_conflict` when the session has no pane, `host_unreachable` when its host does not answer. */
export type Attach = (sessionId: string) => Promise<Target>;

/** The pane of the session that needs a person most. An agent that went down with its tmux server has none. */
export async function attachMostUrgent(reads: AttentionReads, attach: Attach): Promise<Target> {
  const [first, ...others] = await attentionOrder(reads);
  return (await firstWithPane([first, ...others], attach)) ?? attach(first);
}

/** The pane of the next session that needs a person, after the shown one. */
export async function attachNext(reads: AttentionReads, shown: string | undefined, attach: Attach): Promise<Target> {
  const ids = await nextForAttention(reads, shown);
  const found = await firstWithPane(ids, attach);
  if (found) return found;
  if (ids.length === 0)
    throw new DevflowError('not_found', 'no agent needs you', { recoveryHint: 'All agents continue without you.' });
  throw new DevflowError('not_found', 'no agent that needs you has a pane', {
    recoveryHint: 'See devflow approval list.',
  });
}

async function firstWithPane(ids: string[], attach: Attach): Promise<Target | undefined> {
  for (const sessionId of ids) {
    try {
      return await attach(sessionId);
    } catch (error) {
      if (!(error instanceof DevflowError) || !['state_conflict', 'host_unreachable'].includes(error.code)) throw error;
    }
  }
  return undefined;
}

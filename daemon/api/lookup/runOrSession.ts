import { DevflowError } from '../../../schemas/errors.ts';
import type { Ids } from './ids.ts';

/** The run or the session whose id begins so. Throws `ambiguous_id` if both do, and `not_found` with the hint if none does. */
export async function runOrSession(
  target: string,
  ids: Pick<Ids, 'run' | 'session'>,
  recoveryHint?: string,
): Promise<{ runId: string } | { sessionId: string }> {
  const sessionId = await found(ids.session(target));
  const runId = await found(ids.run(target));
  if (sessionId !== undefined && runId !== undefined) {
    throw new DevflowError('ambiguous_id', `${target} begins the id of a session and of a run`, {
      data: { candidates: [sessionId, runId] },
    });
  }
  if (sessionId !== undefined) return { sessionId };
  if (runId !== undefined) return { runId };
  throw new DevflowError('not_found', `no run or session begins with ${target}`, { recoveryHint });
}

async function found(id: Promise<string>): Promise<string | undefined> {
  try {
    return await id;
  } catch (error) {
    if (error instanceof DevflowError && error.code === 'not_found') return undefined;
    throw error;
  }
}

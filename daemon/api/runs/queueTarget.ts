import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcParams } from '../../../schemas/rpc/methods/index.ts';
import type { QueueTarget } from '../../engine/runEngine.ts';
import type { Ids } from '../lookup/ids.ts';

/** Where a person wants a queued run. Undefined: where it is. Throws usage for none or several places. */
export async function queueTarget(
  ids: Pick<Ids, 'run'>,
  { to, before, after }: Pick<RpcParams<'run.move'>, 'to' | 'before' | 'after'>,
  release: boolean,
): Promise<QueueTarget | undefined> {
  const given = [to, before, after].filter((each) => each !== undefined);
  if (given.length > 1 || (given.length === 0 && !release)) {
    throw new DevflowError('usage', 'Say one place in the queue: first, last, before or after another run.');
  }
  if (before !== undefined) return { before: await ids.run(before) };
  if (after !== undefined) return { after: await ids.run(after) };
  return to;
}

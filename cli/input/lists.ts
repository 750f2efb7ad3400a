import { LIST_LIMIT } from '../../schemas/names.ts';
import type { RpcParams } from '../../schemas/rpc/methods/index.ts';
import type { Client } from '../client/connect.ts';
import type { Io } from '../io/io.ts';

/** `--limit`; `--all` means no limit unless one is given. */
export function limitOf(limit: number | undefined, all: boolean | undefined): number {
  return limit ?? (all ? 0 : LIST_LIMIT);
}

/** Prints on standard error that a list was cut. Standard output stays a JSON array. */
export async function printCutNote(
  io: Io,
  client: Client,
  { shown, limit, ...filter }: RpcParams<'list.count'> & { shown: number; limit: number },
): Promise<void> {
  if (limit === 0 || shown < limit) return;
  const { total } = await client.call('list.count', filter);
  if (total > shown) io.err(`Showing ${shown} of ${total} ${filter.of}, the newest. --limit 0 shows all.\n`);
}

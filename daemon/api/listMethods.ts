import type { HandlersOf } from '../rpc/handlers.ts';
import type { Lists } from '../store/lists.ts';
import { type Ids, runNamed } from './lookup/ids.ts';

export function createListMethods({
  ids,
  lists,
}: {
  ids: Pick<Ids, 'run'>;
  lists: Pick<Lists, 'countListed'>;
}): HandlersOf<'list'> {
  return {
    'list.count': async ({ of, runId, state, all }) => {
      const run = await runNamed(ids, runId);
      return { total: await lists.countListed(of, { runId: run, state, all }) };
    },
  };
}

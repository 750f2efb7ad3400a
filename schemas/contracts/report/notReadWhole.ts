import { type Finding, finding } from './report.ts';
import { shorten } from './shorten.ts';
import type { TreeSnapshot } from './tree.ts';

/** Says which directories were not read, or not to their end. Nobody can say that such a directory is valid. */
export function notReadWhole({ entries }: TreeSnapshot): Finding[] {
  return [...entries.values()].flatMap(({ path, kind, fault }) => {
    if (kind !== 'dir' || fault === undefined) return [];
    return finding('CONTRACT_NOT_READ_WHOLE', `${shorten(path)} was not read whole: ${fault}.`, { path });
  });
}

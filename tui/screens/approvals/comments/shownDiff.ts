import { parsePatch } from '../../../../schemas/diff/parsePatch.ts';
import type { RpcResult } from '../../../../schemas/rpc/methods/index.ts';
import type { DiffView } from '../../../../schemas/rpc/views/approval.ts';
import { memoize } from '../../../text/memoize.ts';
import type { ChangedFile } from '../../../widgets/fileJumps.ts';

/** The change of a gate with the files that a person opened, which the patch lacks. */
export interface ShownDiff extends DiffView {
  /** The files whose patches are cut off. Absent: the last one, if the patch is. */
  readonly cut?: readonly string[];
}

export type FileDiff = RpcResult<'approval.diff'>;

/** The patches in the order of the list, each file once. */
export function withFiles(diff: DiffView, opened: readonly FileDiff[]): ShownDiff {
  const { files, rows } = parsePatch(diff.patch);
  const patches = new Map(
    files.map(({ path, row }, nth) => [
      path,
      rows
        .slice(row, files[nth + 1]?.row)
        .map(({ text }) => text)
        .join('\n'),
    ]),
  );
  const last = files.at(-1)?.path;
  const cut = new Set(last === undefined ? [] : [last]);
  for (const { path, patch, truncated } of opened) {
    patches.set(path, patch.replace(/\n$/, ''));
    if (truncated) cut.add(path);
    else cut.delete(path);
  }
  const order = [...diff.files.map(({ path }) => path), ...patches.keys()];
  const patch = [...new Set(order)].flatMap((path) => patches.get(path) ?? []).join('\n');
  const isWhole = cut.size === 0 && diff.files.every(({ path }) => patches.has(path));
  return { ...diff, patch, truncated: !isWhole, cut: [...cut] };
}

export function cutPaths({ patch, truncated, cut }: ShownDiff): readonly string[] {
  if (cut || !truncated) return cut ?? [];
  const last = parsePatch(patch).files.at(-1);
  return last ? [last.path] : [];
}

/** The files of the patch, in its order. */
export const shownFiles = memoize((diff: ShownDiff): readonly ChangedFile[] => {
  const known = new Map(diff.files.map((each) => [each.path, each]));
  return parsePatch(diff.patch).files.map(
    ({ path, from }) => known.get(path) ?? known.get(from ?? '') ?? { path, insertions: 0, deletions: 0 },
  );
});

/** True for a file that the patch has not, or not whole. */
export function isBeyondPatch(diff: ShownDiff, path: string): boolean {
  if (!diff.truncated) return false;
  return cutPaths(diff).includes(path) || !shownFiles(diff).some((each) => each.path === path);
}

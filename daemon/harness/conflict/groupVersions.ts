import type { PrivateGit } from '../privateGit/privateGit.ts';
import type { Stage } from '../tree/mergeTrees.ts';
import { SUBMODULE } from '../tree/treeChanges.ts';
import type { TreeEntry } from '../tree/treeEntries.ts';
import type { Versions } from './goneLines.ts';

/** The texts of the files of one conflict, joined. A binary file and a submodule have no text. */
export async function groupVersions(
  privateGit: PrivateGit,
  paths: readonly string[],
  stages: readonly Stage[],
  result: ReadonlyMap<string, TreeEntry>,
): Promise<Versions> {
  const texts = async (entries: readonly (TreeEntry | undefined)[]) =>
    (await Promise.all(entries.map((entry) => readText(privateGit, entry)))).join('\n');
  const inStage = (wanted: Stage['stage']) =>
    texts(stages.filter(({ path, stage }) => stage === wanted && paths.includes(path)));
  return {
    base: await inStage(1),
    ours: await inStage(2),
    theirs: await inStage(3),
    result: await texts(paths.map((path) => result.get(path))),
  };
}

async function readText(privateGit: PrivateGit, entry: TreeEntry | undefined): Promise<string> {
  if (entry === undefined || entry.mode === SUBMODULE) return '';
  const { stdout } = await privateGit.objects(['cat-file', 'blob', entry.id], { read: true });
  return stdout.includes('\0') ? '' : stdout;
}

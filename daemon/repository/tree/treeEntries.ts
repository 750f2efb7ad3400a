import type { PrivateGit } from '../privateGit/privateGit.ts';

/** A file of a tree. */
export interface TreeEntry {
  mode: string;
  id: string;
}

/** All files of a tree by path, one character per byte. */
export async function readEntries(privateGit: PrivateGit, tree: string): Promise<Map<string, TreeEntry>> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', tree];
  const { stdout } = await privateGit.objects(args, { read: true, bytes: true });
  const entries = stdout.split('\0').map((line) => /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? []);
  return new Map(entries.flatMap(([, mode, id, path]) => (mode && id && path ? [[path, { mode, id }]] : [])));
}

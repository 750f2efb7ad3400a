import type { PrivateGit } from '../privateGit/privateGit.ts';

/** A file that differs between two trees. If one tree lacks it, mode and id there are zeros. */
export interface TreeChange {
  /** One character per byte. */
  path: string;
  oldMode: string;
  newMode: string;
  oldId: string;
  newId: string;
}

export const SUBMODULE = '160000';
/** The mode of a missing file. */
export const NONE = '000000';

/** The files that differ between two commits or trees. A rename is a removed and a new file. */
export async function readChanges(privateGit: PrivateGit, from: string, to: string): Promise<TreeChange[]> {
  const flags = ['-r', '-z', '--raw', '--no-renames', '--full-index', '--ignore-submodules=none'];
  const { stdout } = await privateGit.objects(['diff-tree', ...flags, from, to, '--'], { read: true, bytes: true });
  const parts = stdout.split('\0');
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (parts[at] ?? '').slice(1).split(' ');
    changes.push({ path: parts[at + 1] as string, oldMode, newMode, oldId, newId });
  }
  return changes;
}

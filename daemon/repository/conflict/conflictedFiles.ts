import { textOf } from '../git/pathBytes.ts';
import type { AutomaticMerge } from '../merge/automaticMerge.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { conflictedPaths, type Stage } from '../tree/mergeTrees.ts';
import { SUBMODULE } from '../tree/treeChanges.ts';

/** One version of a file: its text, or in words what it is. */
export type Version = { text: string; truncated: boolean } | { about: string };

/** A file in conflict, for the agent that resolves it. `ours` is the lane, `theirs` the commit that is merged into it. */
export interface ConflictedFile {
  path: string;
  /** git's sentences about it. */
  reasons: string[];
  base: Version;
  ours: Version;
  theirs: Version;
}

/** The most characters of one version. */
const MOST_CHARACTERS = 6_000;
/** Further files have only their sentences: the worktree has their text. */
const MOST_FILES = 12;

const LINK = '120000';

export async function conflictedFiles(
  privateGit: PrivateGit,
  merged: AutomaticMerge,
  names: readonly (readonly [commit: string, name: string])[],
): Promise<ConflictedFile[]> {
  const files: ConflictedFile[] = [];
  for (const path of conflictedPaths(merged)) {
    const about = merged.conflicts.filter(({ paths }) => paths.includes(path));
    const version = async (stage: Stage['stage']) => {
      const found = merged.stages.find((each) => each.path === path && each.stage === stage);
      if (files.length >= MOST_FILES && found) return { about: 'see the worktree' };
      return readVersion(privateGit, found);
    };
    const reasons = about.map(({ message }) => textOf(message)).map((text) => withNames(text, names));
    files.push({
      path: textOf(path),
      reasons,
      base: await version(1),
      ours: await version(2),
      theirs: await version(3),
    });
  }
  return files;
}

/** git names the commits by their ids, also in a file name such as `x~<id>`, which stays as it is. */
function withNames(text: string, names: readonly (readonly [commit: string, name: string])[]): string {
  return names.reduce((renamed, [commit, name]) => renamed.replaceAll(new RegExp(`(?<!~)${commit}`, 'g'), name), text);
}

async function readVersion(privateGit: PrivateGit, stage: Stage | undefined): Promise<Version> {
  if (stage === undefined) return { about: 'no such file' };
  const { mode, id } = stage;
  if (mode === SUBMODULE) return { about: `a submodule at ${id.slice(0, 12)}` };
  const read = { read: true, cap: MOST_CHARACTERS };
  const { stdout, truncated } = await privateGit.objects(['cat-file', 'blob', id], read);
  if (mode === LINK) return { about: `a link to ${stdout}` };
  if (!stdout.includes('\0')) return { text: stdout.slice(0, MOST_CHARACTERS), truncated };
  const { stdout: size } = await privateGit.objects(['cat-file', '-s', id], { read: true });
  return { about: `a binary file of ${size} bytes` };
}

import { DevflowError } from '../../../schemas/errors.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';

/** A merge that git made without a worktree. Paths have one character per byte. */
export interface MergedTrees {
  /** A conflict leaves its markers in this tree. */
  tree: string;
  /** The versions of the files that conflict: 1 the common base, 2 ours, 3 theirs. */
  stages: Stage[];
  /** Empty for a clean merge. */
  conflicts: TreeConflict[];
}

export interface Stage {
  path: string;
  stage: 1 | 2 | 3;
  mode: string;
  id: string;
}

export interface TreeConflict {
  /** Several for a rename, or for a file where the other side has a directory. */
  paths: string[];
  /** git's sentence, which names the two commits as they were given. */
  message: string;
}

/** With the common base between the markers. */
const STYLE = 'merge.conflictStyle=diff3';

/**
 * Merges two commits as git does, without attributes, drivers and settings of the repository, and without a worktree. Throws
 * git_failed if they have no common commit.
 */
export async function mergeTrees(privateGit: PrivateGit, ours: string, theirs: string): Promise<MergedTrees> {
  const args = ['merge-tree', '--write-tree', '-z', ours, theirs];
  const options = { accept: [0, 1], bytes: true, settings: [STYLE], timeoutMs: 600_000 };
  const { stdout, exitCode } = await privateGit.objects(args, options);
  const [tree = '', ...parts] = stdout.split('\0');
  // For a commit that does not exist, git exits as for a conflict.
  if (!/^[0-9a-f]{40,64}$/.test(tree)) {
    throw new DevflowError('git_failed', `git cannot merge ${theirs} into ${ours}: one of them is not a commit.`);
  }
  if (exitCode === 0) return { tree, stages: [], conflicts: [] };
  const stages = parts.slice(0, parts.indexOf('')).map(parseStage);
  return { tree, stages, conflicts: parseMessages(parts.slice(stages.length + 1)) };
}

function parseStage(text: string): Stage {
  const [, mode = '', id = '', stage = '', path = ''] = /^(\d+) (\w+) ([123])\t(.*)$/s.exec(text) ?? [];
  return { path, stage: Number(stage) as Stage['stage'], mode, id };
}

/** Each message is: the number of paths, the paths, a kind, a sentence. Only some kinds are conflicts. */
function parseMessages(parts: readonly string[]): TreeConflict[] {
  const found: TreeConflict[] = [];
  for (let at = 0; at < parts.length && parts[at] !== ''; ) {
    const end = at + 1 + Number(parts[at]);
    const [kind = '', message = ''] = parts.slice(end, end + 2);
    if (kind.startsWith('CONFLICT')) found.push({ paths: parts.slice(at + 1, end), message: message.trim() });
    at = end + 2;
  }
  return found;
}

/** The files that a resolution may change: those with several versions, and those that git's messages name. */
export function conflictedPaths({ stages, conflicts }: MergedTrees): string[] {
  return [...new Set([...stages.map(({ path }) => path), ...conflicts.flatMap(({ paths }) => paths)])].sort();
}

/**
 * The conflicting files, those of one conflict together. A rename names several, and lines may move between them. One
 * character per byte.
 */
export function conflictGroups({ stages, conflicts }: Pick<MergedTrees, 'stages' | 'conflicts'>): string[][] {
  const groups: Set<string>[] = [];
  for (const paths of [...stages.map(({ path }) => [path]), ...conflicts.map((conflict) => conflict.paths)]) {
    const joined = groups.filter((group) => paths.some((path) => group.has(path)));
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push(new Set([...joined.flatMap((group) => [...group]), ...paths]));
  }
  return groups.map((group) => [...group].sort()).sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
}

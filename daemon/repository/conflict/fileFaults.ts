import { textOf } from '../git/pathBytes.ts';
import type { Stage } from '../tree/mergeTrees.ts';
import { SUBMODULE } from '../tree/treeChanges.ts';
import type { TreeEntry } from '../tree/treeFiles.ts';
import type { ResolvedHunk } from './groupProof.ts';

const KINDS: Readonly<Record<string, string>> = {
  '100644': 'a file',
  '100755': 'an executable file',
  '120000': 'a link',
};
const SIDES = { ours: 2, theirs: 3 } as const;

/** The files of one conflict, and what the agent says about them. */
export interface ResolvedFiles {
  paths: readonly string[];
  stages: readonly Stage[];
  hunks: readonly ResolvedHunk[];
  /** All files of the resolution. */
  result: ReadonlyMap<string, TreeEntry>;
  /** Files that cannot be compared by lines. */
  withoutText: ReadonlyMap<string, 'binary' | 'large'>;
}

/** Faults in the files of one conflict, apart from their lines. */
export function fileFaults(files: ResolvedFiles): string[] {
  return [...files.paths.flatMap((path) => modeFaults(files, path)), ...[...files.withoutText].flatMap(wrongVersion)];

  function wrongVersion([path, kind]: [string, 'binary' | 'large']): string[] {
    const name = textOf(path);
    const decisions = new Set(files.hunks.flatMap((hunk) => (hunk.path === name ? [hunk.decision] : [])));
    const [decision = 'combined'] = decisions;
    if (decisions.size > 1 || decision === 'combined' || decision === 'rewritten') {
      return kind === 'large' ? [`${name} is too large to compare: take the version of one side, ours or theirs.`] : [];
    }
    const wanted = files.stages.find((each) => each.path === path && each.stage === SIDES[decision]);
    const found = files.result.get(path);
    if (found?.mode === SUBMODULE || wanted?.mode === SUBMODULE || found?.id === wanted?.id) return [];
    return [`${name} is not the version of ${decision}, although the artifact decides for it.`];
  }
}

/** A resolution changes the text of a file, not what kind of file it is. */
function modeFaults({ paths, stages, result }: ResolvedFiles, path: string): string[] {
  const mode = result.get(path)?.mode;
  if (mode === undefined || mode === SUBMODULE) return [];
  const sides = stages.filter((each) => each.stage !== 1 && paths.includes(each.path)).map((each) => each.mode);
  if (sides.length === 0 || sides.includes(mode)) return [];
  const wanted = [...new Set(sides)].map((each) => KINDS[each] ?? 'a submodule').join(' or ');
  return [`${textOf(path)} is ${KINDS[mode]}, but it was ${wanted}. Change only its text.`];
}

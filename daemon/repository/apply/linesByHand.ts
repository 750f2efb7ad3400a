import { shellWord } from '../../../schemas/text/visible.ts';

export interface ByHand {
  repoPath: string;
  /** The branch of the work, or its commit where the branch is gone. */
  work: string;
  hasBranch: boolean;
  way: 'auto' | 'merge' | 'squash' | 'branch';
  /** The new branch, with the way `branch`. */
  newBranch: string | undefined;
  /** The commit of the work. */
  head: string;
  /** The target of a pull request. */
  baseBranch: string;
  /** One line. */
  title: string;
}

/** The commands that do the same by hand: with git, and as a pull request. */
export function linesByHand(wish: ByHand): string[] {
  return [...gitLines(wish), ...pullRequestLines(wish)];
}

function gitLines({ repoPath, work, way, newBranch, head, title }: ByHand): string[] {
  const git = (...words: string[]) => ['git', '-C', repoPath, ...words].map(shellWord).join(' ');
  switch (way) {
    case 'branch':
      return [git('branch', newBranch ?? 'work', head)];
    case 'squash':
      return [git('merge', '--squash', work), git('commit', '-m', title)];
    case 'merge':
      return [git('merge', '--no-ff', work)];
    case 'auto':
      return [git('merge', work)];
    default:
      return way satisfies never;
  }
}

/** A push needs a branch name, so a work without a branch gets one below devflow/. */
function pullRequestLines({ repoPath, work, hasBranch, way, newBranch, head, baseBranch, title }: ByHand): string[] {
  const isNew = way === 'branch' && newBranch !== undefined;
  const from = isNew ? newBranch : hasBranch ? work : `devflow/${head.slice(0, 12)}`;
  const source = isNew || hasBranch ? from : `${head}:refs/heads/${from}`;
  const push = ['git', '-C', repoPath, 'push', 'origin', source].map(shellWord).join(' ');
  const create = ['gh', 'pr', 'create', '--base', baseBranch, '--head', from, '--title', title, '--body', ''];
  return [
    push,
    `(cd ${shellWord(repoPath)} && ${create.map((word) => (word === '' ? "''" : shellWord(word))).join(' ')})`,
  ];
}

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
  /** The remote that takes a push; undefined if the repository has none. */
  remote: string | undefined;
  /** The target of a pull request. */
  baseBranch: string;
  /** One line. */
  title: string;
}

/** The commands that do the same by hand: with git, and where there is a remote also as a pull request. */
export function linesByHand({ remote, ...wish }: ByHand): string[] {
  return [...gitLines(wish), ...(remote === undefined ? [] : pullRequestLines({ ...wish, remote }))];
}

/** The remote that a person most likely means, by the settings of their git; undefined if there is none. */
export function pushRemote(settings: ReadonlyMap<string, string>): string | undefined {
  const names = [...settings.keys()].flatMap((key) => /^remote\.(.+)\.(?:url|pushurl)$/s.exec(key)?.[1] ?? []);
  // git would take such a name for an option.
  const remotes = names.filter((name) => !name.startsWith('-'));
  const wanted = [settings.get('remote.pushdefault'), 'origin'];
  return wanted.find((name) => name !== undefined && remotes.includes(name)) ?? remotes[0];
}

type WithoutRemote = Omit<ByHand, 'remote'>;

function gitLines({ repoPath, work, way, newBranch, head, title }: WithoutRemote): string[] {
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
function pullRequestLines(wish: WithoutRemote & { remote: string }): string[] {
  const { repoPath, work, hasBranch, way, newBranch, head, remote, baseBranch, title } = wish;
  const isNew = way === 'branch' && newBranch !== undefined;
  const from = isNew ? newBranch : hasBranch ? work : `devflow/${head.slice(0, 12)}`;
  const source = isNew || hasBranch ? from : `${head}:refs/heads/${from}`;
  const push = ['git', '-C', repoPath, 'push', remote, source].map(shellWord).join(' ');
  const create = ['gh', 'pr', 'create', '--base', baseBranch, '--head', from, '--title', title, '--body', ''];
  return [
    push,
    `(cd ${shellWord(repoPath)} && ${create.map((word) => (word === '' ? "''" : shellWord(word))).join(' ')})`,
  ];
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commitResolution } from '../../../../daemon/repository/conflict/commitResolution.ts';
import type { ResolvedHunk } from '../../../../daemon/repository/conflict/groupProof.ts';
import { prepareConflict } from '../../../../daemon/repository/conflict/prepareConflict.ts';
import { proveResolution } from '../../../../daemon/repository/conflict/proveResolution.ts';
import type { ScratchRepo } from '../../../helpers/repo.ts';
import { AT, given, lines } from '../merge/given.ts';

export type Change = Record<string, string> | ((repo: ScratchRepo) => void);

export const LANE: Change = { 'f.txt': lines('1', '2', 'lane', '4', '5'), 'lane.txt': 'lane\n' };
export const MAIN: Change = ({ git, write }) => {
  write({ 'f.txt': lines('1', '2', 'main', '4', '5'), 'main.txt': 'main\n' });
  git('rm', '-q', 'old.txt');
};
export const HUNK: ResolvedHunk = { path: 'f.txt', decision: 'combined', dropped: [], reason: 'because' };

/** A lane that conflicts with main, and its worktree. */
export async function givenConflict(lane: Change = LANE, main: Change = MAIN, files: Record<string, string> = {}) {
  const at = given(files);
  const { repo } = at;
  const head = at.commitOn('lane-1', lane);
  const onto = at.commitOn('main', main);
  const worktree = await at.open('lane-1');
  const sides = { worktree, head, onto };
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(worktree.path, name)), { recursive: true });
    writeFileSync(join(worktree.path, name), text);
  };
  return {
    ...at,
    head,
    onto,
    worktree,
    put,
    git: (...args: string[]) => repo.gitIn(worktree.path, ...args),
    input: { ...sides, laneId: 'lane-1', attempt: 1 },
    prepare: (attempt = 1) => prepareConflict({ ...sides, laneId: 'lane-1', attempt }),
    prove: (...hunks: ResolvedHunk[]) => proveResolution({ ...sides, hunks }),
    commit: (tree: string) => commitResolution({ ...sides, tree, runId: 'run', laneId: 'lane-1', at: AT }),
  };
}

export type At = Awaited<ReturnType<typeof givenConflict>>;

export const RESOLVED = lines('1', '2', 'lane', 'main', '4', '5');

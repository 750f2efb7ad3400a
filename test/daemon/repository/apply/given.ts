import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { applyWork, previewApply } from '../../../../daemon/repository/apply/apply.ts';
import type { ApplyWish } from '../../../../daemon/repository/apply/plan.ts';
import { type ScratchRepo, scratchRepo } from '../../../helpers/repo.ts';

export const WORK = 'devflow/run/main';
export const TITLE = 'Greet by name';

/** What everything about the person's checkout is, so that a test can say that nothing changed. */
export function stateOf(repo: Pick<ScratchRepo, 'git'>): string {
  return [
    repo.git('symbolic-ref', '-q', 'HEAD'),
    repo.git('for-each-ref'),
    repo.git('status', '--porcelain=v2', '--ignored', '--untracked-files=all'),
    repo.git('ls-files', '-s'),
  ].join('\n');
}

/** A repository with a base commit and a run's branch, as a run leaves it; main is checked out at the base. */
export function given(
  work: (repo: ScratchRepo) => void = (repo) => {
    repo.commit({ 'src/greet.txt': 'Hello, name\n', 'new.txt': 'new\n' }, 'Implement');
  },
  prepare?: (repo: ScratchRepo) => void,
) {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  repo.commit({ 'README.md': '# A project\n', 'src/greet.txt': 'Hello\n', 'old.txt': 'old\n' }, 'Base');
  prepare?.(repo);
  const baseCommit = repo.git('rev-parse', 'HEAD');
  repo.git('switch', '-q', '-c', WORK);
  work(repo);
  const head = repo.git('rev-parse', 'HEAD');
  repo.git('switch', '-q', 'main');
  const wish: ApplyWish = {
    runId: 'run',
    runState: 'completed',
    work: WORK,
    baseBranch: 'main',
    baseCommit,
    lastCommit: head,
    accepted: [{ commit: head, source: 'gate' }],
    title: TITLE,
    summary: null,
    notes: [],
    way: 'auto',
    newBranch: undefined,
  };
  return {
    repo,
    baseCommit,
    head,
    wish,
    apply: (more: Partial<ApplyWish> = {}, dir = repo.dir) => applyWork(dir, { ...wish, ...more }),
    preview: (more: Partial<ApplyWish> = {}, dir = repo.dir) => previewApply(dir, { ...wish, ...more }),
    read: (name: string) => readFileSync(join(repo.dir, name), 'utf8'),
  };
}

export type Given = ReturnType<typeof given>;

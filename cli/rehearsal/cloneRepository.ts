import { execFileSync } from 'node:child_process';
import type { Env } from '../../schemas/files/paths.ts';

/** The branch of the copy. */
export const BRANCH = 'rehearsal';

/** A copy of a commit with nothing of the repository's configuration: no hook and no filter runs. It borrows the objects. */
export function cloneRepository(from: string, commit: string, to: string, env: Env): void {
  const own = { ...env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_TERMINAL_PROMPT: '0' };
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'core.hooksPath=/dev/null', '-c', 'init.templateDir=', ...args], {
      cwd,
      env: own,
      stdio: 'pipe',
    });
  git('/', 'clone', '--quiet', '--shared', '--no-checkout', '--no-tags', '--template=', '--', from, to);
  git(to, 'checkout', '--quiet', '-B', BRANCH, commit, '--');
  git(to, 'remote', 'remove', 'origin');
}

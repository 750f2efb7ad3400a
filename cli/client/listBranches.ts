import { execFile } from 'node:child_process';
import { GIT_SETTINGS, gitVariables } from '../../schemas/config/gitSettings.ts';
import { expandPath } from './paths.ts';

/** The branches of a repository: the current one first, those of runs last. Empty if there is no repository. */
export function listBranches(repo: string, cwd: string): Promise<string[]> {
  const words = [
    ...GIT_SETTINGS,
    '-C',
    expandPath(repo, cwd),
    'for-each-ref',
    // Not the short form: beside a tag main, the branch would be heads/main.
    '--format=%(HEAD)%(refname:lstrip=2)',
    '--sort=-committerdate',
    'refs/heads',
  ];
  return new Promise((resolve) => {
    execFile('git', words, { maxBuffer: 4 << 20, env: gitVariables(process.env) }, (error, out) => {
      if (error) return resolve([]);
      const lines = out.split('\n').filter(Boolean);
      const rank = (line: string) => (line.startsWith('*') ? 0 : line.startsWith(' devflow/') ? 2 : 1);
      resolve(lines.sort((a, b) => rank(a) - rank(b)).map((line) => line.slice(1)));
    });
  });
}

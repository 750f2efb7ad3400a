import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './place.ts';

/** A repository with one commit, and so many branches `base-<n>` at it. */
export function makeRepository({ home }: Pick<Place, 'home'>, name: string, branches = 0): string {
  const repo = join(home, name);
  mkdirSync(repo);
  writeFileSync(join(repo, 'README.md'), '# A project\n');
  const git = (args: string[], input?: string) =>
    execFileSync('git', args, { cwd: repo, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] }).trim();
  git(['init', '-q', '-b', 'main']);
  git(['config', 'user.name', 'Bench']);
  git(['config', 'user.email', 'bench@localhost']);
  git(['add', '-A']);
  git(['-c', 'commit.gpgsign=false', 'commit', '-q', '-m', 'First']);
  const head = git(['rev-parse', 'HEAD']);
  const lines = Array.from({ length: branches }, (_, nth) => `create refs/heads/base-${nth} ${head}\n`);
  git(['update-ref', '--stdin'], lines.join(''));
  return repo;
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const FILES = { 'README.md': '# A project\n', 'src/a.txt': 'one\ntwo\n' };
const IDENTITY = '[user]\n\tname = Test\n\temail = test@localhost\n';
const WITHOUT_CONFIG = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

/** The git directory after the first commit: its files by their paths, and its directories. */
interface GitDirectory {
  directories: string[];
  files: [string, Buffer][];
}

let first: GitDirectory | undefined;

/**
 * Makes `dir` a repository on branch main with one commit. git makes the first one of a process, the others are copies of
 * it: one process of git instead of six. Only the checkout is git's own, because the index holds facts of its files.
 */
export function writeFirstCommit(dir: string, { identity = true } = {}): void {
  first ??= makeFirstCommit();
  for (const path of first.directories) mkdirSync(join(dir, '.git', path), { recursive: true });
  for (const [path, bytes] of first.files) writeFileSync(join(dir, '.git', path), bytes);
  if (identity) writeFileSync(join(dir, '.git', 'config'), IDENTITY, { flag: 'a' });
  git(dir, 'read-tree', '--reset', '-u', 'HEAD');
}

function makeFirstCommit(): GitDirectory {
  const dir = mkdtempSync(join(tmpdir(), 'devflow-first-'));
  try {
    git(dir, 'init', '-q', '-b', 'main');
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    git(dir, 'add', '-A');
    git(dir, '-c', 'user.name=Test', '-c', 'user.email=test@localhost', 'commit', '-q', '-m', 'First');
    return read(join(dir, '.git'));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function read(gitDir: string): GitDirectory {
  const entries = readdirSync(gitDir, { recursive: true, withFileTypes: true });
  const paths = (isWanted: (entry: (typeof entries)[0]) => boolean) =>
    entries.filter(isWanted).map(({ parentPath, name }) => join(parentPath, name).slice(gitDir.length));
  return {
    directories: paths((entry) => entry.isDirectory()),
    files: paths((entry) => entry.isFile() && !entry.name.endsWith('.sample')).map((path) => [
      path,
      readFileSync(join(gitDir, path)),
    ]),
  };
}

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', args, { cwd, env: WITHOUT_CONFIG, stdio: ['ignore', 'pipe', 'pipe'] });
}

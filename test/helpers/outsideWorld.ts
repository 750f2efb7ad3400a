import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { commonDirectory, findWorktree } from '../../daemon/repository/git/repositoryFiles.ts';
import { addWorktree } from '../../daemon/repository/worktree/addWorktree.ts';
import type { Outside } from '../fixtures/sandbox/escapes.ts';
import { isolatedEnv, makeRepo } from './testRepo.ts';
import { until } from './until.ts';

export interface OutsideWorld {
  outside: Outside;
  root: string;
  repo: string;
  branch: string;
  env: Record<string, string>;
  /** Directories of devflow. */
  hidden: string[];
}

const SECRETS = [
  ...['.ssh/id_ed25519', '.aws/credentials', '.gnupg/key', '.bash_history', '.npmrc', 'private-notes'],
  ...['.config/gh/hosts.yml', '.git-credentials', '.netrc', '.docker/config.json', '.kube/config', '.gem/credentials'],
];
/** Where programs share memory by name. */
const SHARED = '/dev/shm';

/** A person's home, repository, programs and sockets, and a worktree of devflow: all that an agent could reach. */
export async function outsideWorld(): Promise<OutsideWorld> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'out-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const at = (...names: string[]) => join(root, ...names);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const env = isolatedEnv(at('home'));
  for (const name of SECRETS) write(at('home', name), 'SECRET\n');
  write(at('home/.bashrc'), 'PATH=$PATH\n');
  const repo = makeRepo(at('checkout'), env);
  repo.write({ '.env': 'TOKEN=SECRET\n', '.gitignore': '.env\n' });
  repo.git('branch', 'other');
  for (const name of ['temporary', 'removable', 'movable']) write(at('open', name), 'SECRET\n');
  write(at('devflow/.env'), 'SECRET\n');

  const [worktree, other] = await Promise.all(
    ['one', 'two'].map((run) => makeWorktree(repo.dir, at('devflow/workspaces', run, 'main'), run)),
  );
  if (!worktree || !other) throw new Error('no worktrees');
  write(join(other.path, 'notes'), 'SECRET\n');
  const common = await commonDirectory(repo.dir);
  const [entry, otherEntry] = await Promise.all([worktree, other].map(({ path }) => findWorktree(common, path)));
  const session = at('devflow/workspaces/one/sessions/s');
  for (const name of ['lives.jsonl', 'hook.sh']) write(join(session, name), '');

  const sockets = Object.fromEntries(
    await Promise.all(
      ['DAEMON', 'DATABASE', 'AGENT', 'BUS'].map(async (name) => [`${name}_SOCKET`, await listen(at(`${name}.sock`))]),
    ),
  );
  write(at('home/.local/bin/tool'), '#!/bin/sh\n');
  write(at('home/.config/git/ignore'), '*.own\n');
  const shared = write(join(SHARED, `devflow-escape-${process.pid}-${randomInt(1e9)}`), 'SECRET\n');
  onTestFinished(() => rmSync(shared, { force: true }));
  const abstract = `devflow-escape-${process.pid}-${randomInt(1e9)}`;
  await listen(`\0${abstract}`);
  const key = String(randomInt(1, 2 ** 30));
  execFileSync('perl', ['-e', 'shmget($ARGV[0] + 0, 4096, 01600) // exit 1', key]);
  onTestFinished(() => {
    execFileSync('perl', ['-e', 'my $i = shmget($ARGV[0] + 0, 0, 0); shmctl($i, 0, 0) if defined $i', key]);
  });
  const outside: Outside = {
    HOME_DIR: at('home'),
    OPEN_DIR: at('open'),
    CHECKOUT: repo.dir,
    COMMON: common,
    PRIVATE_GIT: join(entry?.directory ?? '', 'devflow'),
    OTHER_ENTRY: otherEntry?.directory ?? '',
    OTHER_WORKTREE: other.path,
    WORKTREE: worktree.path,
    DEVFLOW: at('devflow'),
    SESSION: session,
    SETTINGS: write(at('home/.program/settings.json'), '{}\n'),
    VICTIM: String(await startVictim(at('open'))),
    DAEMON_SOCKET: sockets.DAEMON_SOCKET,
    TMUX_SOCKET: startTmux(at('tmux.sock'), env),
    DATABASE_SOCKET: sockets.DATABASE_SOCKET,
    AGENT_SOCKET: sockets.AGENT_SOCKET,
    BUS_SOCKET: sockets.BUS_SOCKET,
    TOOL_SOCKET: await listen(at('home/.local/bin/tool.sock')),
    ABSTRACT_SOCKET: abstract,
    SHARED_MEMORY: key,
    SHARED_FILE: shared,
  };
  return { outside, root, repo: repo.dir, branch: worktree.branch, env, hidden: [at('devflow')] };
}

async function makeWorktree(repoPath: string, path: string, run: string) {
  const branch = `devflow/${run}/main`;
  const startCommit = execFileSync('git', ['-C', repoPath, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const { path: made } = await addWorktree({ repoPath, path, branch, startCommit });
  return { path: made, branch };
}

async function listen(path: string): Promise<string> {
  const server: Server = createServer((socket) => socket.end());
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return path;
}

/** It leads a group and a session of its own, and has an open file with a secret. */
async function startVictim(cwd: string): Promise<number> {
  const file = openSync(join(cwd, 'temporary'), 'r');
  const victim: ChildProcess = spawn('perl', ['-e', 'sleep 1 while 1', 'SECRET'], {
    cwd,
    env: { PATH: process.env.PATH, TOKEN: 'SECRET' },
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', file],
  });
  onTestFinished(() => {
    victim.kill('SIGKILL');
  });
  const { pid = 0 } = victim;
  await until('the victim runs', async () => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sleep'));
  return pid;
}

function startTmux(socket: string, env: Record<string, string>): string {
  const tmux = (...args: string[]) => execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env });
  tmux('new-session', '-d', 'exec cat');
  onTestFinished(() => {
    tmux('kill-server');
  });
  return socket;
}

import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../../schemas/sandbox.ts';
import type { WorktreePlace } from '../repository/git/worktreePlace.ts';
import { findTools } from './findTools.ts';
import { gitPlaces } from './gitPlaces.ts';
import type { Mount } from './mounts.ts';
import { prepareSandbox } from './prepareSandbox.ts';
import { wishedPlaces } from './wishedPlaces.ts';

export interface CommandSandboxInput {
  wish: Sandbox;
  /** Absent: the directory has no git. */
  worktree?: WorktreePlace;
  cwd: string;
  /** The directory of the run, where each worktree has files of its sandboxes. */
  runDir: string;
  env: Readonly<Record<string, string>>;
  /** More directories that the command writes to. */
  writes?: readonly string[];
  hidden: readonly string[];
}

/**
 * The words before a command that run it in a sandbox. All commands of a worktree have one home and one directory for
 * temporary files, so that a later one finds what an earlier one fetched.
 */
export async function commandSandbox(input: CommandSandboxInput): Promise<string[]> {
  const { wish, worktree, cwd, runDir, env, writes = [], hidden } = input;
  const tools = findTools(env.PATH ?? '', wish);
  const name = createHash('sha256').update(cwd).digest('hex').slice(0, 12);
  const written: Mount[] = [cwd, ...writes].map((path) => ({ path, how: 'write' }));
  const places = [...wishedPlaces(wish), ...written, ...(worktree ? await gitPlaces(worktree) : [])];
  const { words } = prepareSandbox(
    {
      directory: join(runDir, 'sandbox', name),
      cwd,
      env,
      network: wish.network !== 'off',
      programs: [],
      needs: {},
      places,
      home: homedir(),
      hidden: [...hidden, runDir, ...(worktree ? [worktree.repoPath] : [])],
    },
    tools,
  );
  return words;
}

/** Variables that are different in the sandbox of a command. */
export const COMMAND_SANDBOX_ENV: Readonly<Record<string, string>> = { TMPDIR: '/tmp' };

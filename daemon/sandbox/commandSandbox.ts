import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeInside } from '../../schemas/files/insideRoot.ts';
import { sha256hex } from '../../schemas/hash.ts';
import type { Sandbox } from '../../schemas/sandbox.ts';
import type { WorktreePlace } from '../repository/git/worktreePlace.ts';
import { findTools } from './findTools.ts';
import { gitPlaces } from './gitPlaces.ts';
import type { Mount } from './mounts.ts';
import { homeIn, sandboxDirOf } from './ownPlaces.ts';
import { personGitconfig } from './personGitconfig.ts';
import { prepareSandbox } from './prepareSandbox.ts';
import { wishedPlaces } from './wishedPlaces.ts';

/** A home for measuring has links to these below the person's home. Here each sandbox has its own. */
const LINKED = ['home/.cargo/registry', 'home/.cargo/git'];

export interface CommandSandboxInput {
  wish: Sandbox;
  /** Absent: the directory has no git. */
  worktree?: WorktreePlace;
  cwd: string;
  /** The directory of outputs, in that of the run. There each worktree has files of its sandboxes. */
  dir: string;
  /** Without what an agent can be behind. */
  env: Readonly<Record<string, string>>;
  /** Of the command inside. */
  inside: Readonly<Record<string, string>>;
  /** More directories that the command writes to. */
  writes?: readonly string[];
  /** Directories that it must not see. */
  hidden: readonly string[];
}

/**
 * The words before a command that run it in a sandbox. The commands of a worktree share a home and temporary files: a later
 * one finds what an earlier one fetched.
 */
export async function commandSandbox(input: CommandSandboxInput): Promise<string[]> {
  const { wish, worktree, cwd, dir, env, inside, writes = [], hidden } = input;
  const tools = findTools(env.PATH ?? '', wish);
  const runDir = dirname(dir);
  const name = sha256hex(cwd).slice(0, 12);
  const written: Mount[] = [cwd, ...writes].map((path) => ({ path, how: 'write' }));
  const directory = join(sandboxDirOf(runDir), name);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (writes.length > 0) for (const each of LINKED) makeInside(directory, each);
  const places = [
    ...(worktree ? await personGitconfig(worktree, homeIn(env), directory) : []),
    ...[...wishedPlaces(wish, hidden), ...written],
    ...(worktree ? await gitPlaces(worktree) : []),
  ];
  return prepareSandbox(
    {
      directory,
      cwd,
      env,
      inside,
      network: wish.network !== 'off',
      programs: [],
      needs: {},
      places,
      home: homedir(),
      // Beside the run are others.
      hidden: [...hidden, dirname(runDir), runDir, ...(worktree && !worktree.isCheckout ? [worktree.repoPath] : [])],
    },
    tools,
  );
}

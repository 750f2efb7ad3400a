import { join } from 'node:path';
import type { PermissionMode } from '../../schemas/enums.ts';
import { makeInside } from '../../schemas/files/insideRoot.ts';
import { ARTIFACTS } from '../../schemas/names.ts';
import type { Sandbox } from '../../schemas/sandbox.ts';
import type { WorktreePlace } from '../repository/git/worktreePlace.ts';
import { findTools } from './findTools.ts';
import { gitPlaces } from './gitPlaces.ts';
import type { Mount } from './mounts.ts';
import { homeIn, sandboxDirOf } from './ownPlaces.ts';
import { personGitconfig } from './personGitconfig.ts';
import { type ProgramPlaces, prepareSandbox } from './prepareSandbox.ts';
import { wishedPlaces } from './wishedPlaces.ts';

/** Below the session's directory: what its hooks write. */
const HOOKS = 'hooks';

export interface AgentSandboxInput {
  wish: Sandbox;
  /** Absent: the directory has a repository of its own, or none. */
  worktree?: WorktreePlace;
  cwd: string;
  sessionDir: string;
  permissionMode: PermissionMode;
  /** Without what an agent can be behind. */
  env: Readonly<Record<string, string>>;
  /** Of the program inside. */
  inside: Readonly<Record<string, string>>;
  binaryPath: string;
  needs: ProgramPlaces;
}

/**
 * Prepares the sandbox of an agent's program. A reader writes its artifacts and nothing else of the worktree. `hidden`:
 * devflow's own directories.
 */
export async function prepareAgentSandbox(input: AgentSandboxInput, hidden: readonly string[]): Promise<string[]> {
  const { wish, worktree, cwd, sessionDir, permissionMode, env, inside, binaryPath, needs } = input;
  const tools = findTools(env.PATH ?? '', wish);
  const hasArtifacts = worktree !== undefined && !worktree.isCheckout;
  if (hasArtifacts) makeInside(cwd, ARTIFACTS);
  makeInside(sessionDir, HOOKS);
  const files: Mount[] =
    permissionMode === 'read'
      ? [
          { path: cwd, how: 'read' },
          // devflow makes no directory in a person's checkout.
          ...(worktree?.isCheckout ? [] : [{ path: join(cwd, ARTIFACTS), how: 'write' } as const]),
        ]
      : [{ path: cwd, how: 'write' }];
  const session: Mount[] = [
    { path: sessionDir, how: 'read' },
    { path: join(sessionDir, HOOKS), how: 'write' },
  ];
  const directory = sandboxDirOf(sessionDir);
  const places = [
    ...(worktree ? await personGitconfig(worktree, homeIn(env), directory) : []),
    ...[...wishedPlaces(wish, hidden), ...files, ...session],
    ...(worktree ? await gitPlaces(worktree) : []),
  ];
  return prepareSandbox(
    {
      directory,
      cwd,
      env,
      inside,
      network: wish.network !== 'off',
      programs: [binaryPath],
      needs,
      places,
      hidden: [...hidden, ...(hasArtifacts ? [worktree.repoPath] : [])],
    },
    tools,
  );
}

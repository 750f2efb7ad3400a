import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepareAgentSandbox } from '../../daemon/sandbox/agentSandbox.ts';
import type { ProgramPlaces } from '../../daemon/sandbox/prepareSandbox.ts';
import type { PermissionMode } from '../../schemas/enums.ts';
import type { Sandbox } from '../../schemas/sandbox.ts';
import type { OutsideWorld } from './outsideWorld.ts';

export interface Ended {
  status: number | null;
  out: string;
  err: string;
}

export interface GivenSandbox extends Partial<Sandbox> {
  permissionMode?: PermissionMode;
  needs?: ProgramPlaces;
  env?: Record<string, string>;
  /** Variables that only the program inside gets. */
  inside?: Record<string, string>;
  binaryPath?: string;
}

/** Runs a command line in the sandbox of an agent. */
export async function inSandbox(
  world: OutsideWorld,
  argv: readonly string[],
  given: GivenSandbox = {},
): Promise<Ended> {
  const env = { ...world.env, ...given.env };
  return run([...(await wordsFor(world, given)), ...argv], world.outside.WORKTREE, env);
}

/** The words before a command line that run it in the sandbox of an agent. */
export async function wordsFor(world: OutsideWorld, given: GivenSandbox = {}): Promise<string[]> {
  const { permissionMode = 'execute', needs = {}, env: more = {}, inside, binaryPath = '/bin/sh', ...wish } = given;
  const { outside, repo, branch, hidden } = world;
  const cwd = outside.WORKTREE;
  const env = { ...world.env, ...more };
  const input = {
    wish: { level: 'agents' as const, by: 'bubblewrap', ...wish },
    worktree: { repoPath: repo, path: cwd, branch },
    cwd,
    sessionDir: outside.SESSION,
    permissionMode,
    env,
    inside: { ...env, ...inside },
    binaryPath,
    needs: { ...needs, read: [outside.SETTINGS, ...(needs.read ?? [])] },
  };
  return prepareAgentSandbox(input, hidden);
}

/** Runs a command line with the words of its sandbox. */
export function runWords({ outside, env }: OutsideWorld, words: readonly string[]): Promise<Ended> {
  return run(words, outside.WORKTREE, env);
}

/** Runs a command line without a sandbox. */
export function withoutSandbox({ outside, env }: OutsideWorld, argv: readonly string[]): Promise<Ended> {
  return run(argv, outside.WORKTREE, env);
}

export const scriptIn = ({ outside }: OutsideWorld): string => join(outside.WORKTREE, 'escapes.sh');

function run([program = '', ...args]: readonly string[], cwd: string, env: Record<string, string>): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    said.out += text;
  });
  child.stderr.on('data', (text) => {
    said.err += text;
  });
  return new Promise((resolve, reject) =>
    child.once('error', reject).once('close', (status) => resolve({ status, ...said })),
  );
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MARKS } from '../../schemas/agentMark.ts';
import { withAllocatorSettings } from '../../schemas/allocatorSettings.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { type Env, packageRoot } from '../../schemas/files/paths.ts';

/**
 * Flags of Node for a daemon. By default V8 keeps up to 48 MB for new objects and collects them late on a machine with much
 * memory.
 */
export const DAEMON_FLAGS = ['--max-semi-space-size=2'];

/** The built daemon. The CLI knows it only as a program to start. */
export function daemonProgram(): string {
  return builtFile('daemon.cjs');
}

/** The built module that answers the methods of contracts. */
export function contractsModule(): string {
  return builtFile('contractsMain.cjs');
}

function builtFile(name: string): string {
  const path = join(packageRoot(), 'dist', name);
  if (existsSync(path)) return path;
  throw new DevflowError('daemon_start_failed', `the daemon is not built (${path} is missing)`, {
    recoveryHint: `Run npm ci in ${packageRoot()}.`,
  });
}

/** The environment for a daemon. A daemon belongs to no agent and no command, even if one starts it. */
export function daemonEnvironment(env: Env): Env {
  return withAllocatorSettings(Object.fromEntries(Object.entries(env).filter(([name]) => !MARKS.includes(name))));
}

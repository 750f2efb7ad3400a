import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { type Env, packageRoot, resolvePaths } from '../../schemas/files/paths.ts';
import type { KeeperPrograms } from '../../schemas/keeper/keeperArguments.ts';
import { KEEPER_PROGRAM, KEEPER_SCRIPT } from '../../schemas/keeper/record.ts';
import { MARKS } from '../../schemas/process/agentMark.ts';
import { withAllocatorSettings } from '../../schemas/process/environment.ts';

/** The built daemon. The CLI knows it only as a program to start. */
export function daemonProgram(): string {
  return builtFile('daemon.cjs');
}

/** The built programs of the keeper of this home. */
export function keeperPrograms(env: Env): KeeperPrograms {
  const { keeperFile, logFile } = resolvePaths(env);
  return {
    script: builtFile(KEEPER_SCRIPT),
    program: builtFile(KEEPER_PROGRAM),
    daemon: daemonProgram(),
    record: keeperFile,
    log: logFile,
  };
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

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { packageRoot } from '../../schemas/files/paths.ts';

/** The built daemon. The CLI knows it only as a program to start. */
export function daemonProgram(): string {
  const path = join(packageRoot(), 'dist', 'daemon.cjs');
  if (existsSync(path)) return path;
  throw new DevflowError('daemon_start_failed', `the daemon is not built (${path} is missing)`, {
    recoveryHint: `Run npm ci in ${packageRoot()}.`,
  });
}

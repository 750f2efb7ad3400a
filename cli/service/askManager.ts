import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../schemas/files/paths.ts';

const PATIENCE_MS = 10_000;
const LINGER = '/var/lib/systemd/linger';

/** The first line of its answer; undefined if the service manager of this user does not answer. */
export function askManager(words: readonly string[] | undefined, env: Env): string | undefined {
  const [program, ...rest] = words ?? [];
  if (program === undefined) return undefined;
  const { stdout, error, status } = spawnSync(program, rest, {
    env: env as NodeJS.ProcessEnv,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const line = stdout?.split('\n')[0]?.trim() ?? '';
  return error || (status !== 0 && line === '') ? undefined : line;
}

/** True if systemd runs the services of this user also while the user is logged out. */
export function lingers(user: string, directory = LINGER): boolean {
  return existsSync(join(directory, user));
}

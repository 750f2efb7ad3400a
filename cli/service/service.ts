import { join, resolve } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { type Env, packageRoot } from '../../schemas/files/paths.ts';
import { sha256hex } from '../../schemas/hash.ts';
import type { Service } from './files.ts';
import { launchAgent } from './launchd.ts';
import { userUnit } from './systemd.ts';

/** Throws `usage` on a system that devflow knows no service manager of. */
export function serviceOf(env: Env, platform: NodeJS.Platform = process.platform): Service {
  const words = [join(packageRoot(), 'bin', 'devflow'), 'service', 'run'];
  const name = serviceName(env);
  if (platform === 'linux') return userUnit(env, name, words);
  if (platform === 'darwin') return launchAgent(env, name, words);
  throw new DevflowError('usage', `devflow knows no service manager of ${platform}`, {
    recoveryHint: 'Run devflow service run in what starts your programs at log-in.',
  });
}

/** Each home has a service of its own. */
function serviceName({ DEVFLOW_HOME }: Env): string {
  return DEVFLOW_HOME ? `devflow-${sha256hex(resolve(DEVFLOW_HOME)).slice(0, 8)}` : 'devflow';
}

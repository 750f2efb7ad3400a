import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { DevflowError } from '../errors.ts';

interface WithHome {
  readonly HOME?: string;
}

/**
 * The person's home directory. If HOME is empty or relative, the system's record counts: files would otherwise depend
 * on the working directory. Throws `config_invalid` if the system has none.
 */
export function homeOf(env: WithHome, homeOfUser = systemHome): string {
  const home = knownHome(env, homeOfUser);
  if (home !== undefined) return home;
  const what =
    env.HOME === undefined ? 'HOME is not set' : `HOME is ${JSON.stringify(env.HOME)}, which is no absolute path`;
  throw new DevflowError('config_invalid', `${what}, and the system knows no home directory of this user.`, {
    recoveryHint: 'Set HOME or DEVFLOW_HOME to a directory of your own.',
  });
}

/** Replaces an empty or relative HOME, or takes it out. The programs that a daemon starts run in other directories. */
export function mendHome(env: { HOME?: string }): void {
  if (env.HOME === undefined) return;
  const home = knownHome(env, systemHome);
  if (home === undefined) delete env.HOME;
  else env.HOME = home;
}

function knownHome({ HOME }: WithHome, homeOfUser: () => string): string | undefined {
  if (HOME !== undefined && isAbsolute(HOME)) return HOME;
  try {
    const home = homeOfUser();
    return isAbsolute(home) ? home : undefined;
  } catch {
    return undefined;
  }
}

function systemHome(): string {
  return userInfo().homedir;
}

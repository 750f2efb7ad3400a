import type { SettingSource } from './config.ts';
import type { Settings } from './settings.ts';

type Key = 'tmux.server' | 'tmux.socketName' | 'tmux.socketPath';

/** What `tmux` itself calls its server where no name is given. */
export const USERS_SOCKET_NAME = 'default';

/** The sentence for settings of which each is allowed but not all together; undefined when they agree. */
export function tmuxContradiction(
  { server, socketName, socketPath }: Settings['tmux'],
  placeOf: (key: Key) => string,
  sources: Readonly<Record<string, SettingSource>>,
): string | undefined {
  if (socketPath !== undefined && server === 'own') {
    return `${placeOf('tmux.socketPath')} is set, but devflow's own tmux server is found by tmux.socketName; say tmux.server: user if the path is that of yours.`;
  }
  if (socketPath !== undefined && sources['tmux.socketName']?.from !== 'default') {
    return `${placeOf('tmux.socketName')} and ${placeOf('tmux.socketPath')} both say which tmux server it is; keep one of them.`;
  }
  // An own server is brought to devflow's configuration, and nobody's options are to be edited by mistake.
  if (server === 'own' && socketName === USERS_SOCKET_NAME) {
    return `${placeOf('tmux.socketName')} is default, which is the name of your own tmux server; choose another name, or say tmux.server: user.`;
  }
  return undefined;
}

/** The words with which a person reaches the server: `tmux -L devflow`. */
export function tmuxWords({ binaryPath, socketName, socketPath }: Settings['tmux']): string[] {
  return [binaryPath ?? 'tmux', ...(socketPath === undefined ? ['-L', socketName] : ['-S', socketPath])];
}

import type { SettingSource } from './config.ts';
import type { Settings } from './settings.ts';

type Key = 'tmux.server' | 'tmux.socketName' | 'tmux.socketPath';

/** The name of the server that plain `tmux` uses. */
export const USERS_SOCKET_NAME = 'default';

/** The sentence about tmux settings that contradict each other; undefined if they agree. */
export function tmuxContradiction(
  { server, socketName, socketPath }: Settings['tmux'],
  placeOf: (key: Key) => string,
  sources: Readonly<Record<string, SettingSource>>,
): string | undefined {
  if (socketPath !== undefined && server === 'own') {
    return `${placeOf('tmux.socketPath')} is set, but devflow's own tmux server has a name (tmux.socketName); set tmux.server: user if the path is your server's.`;
  }
  if (socketPath !== undefined && sources['tmux.socketName']?.from !== 'default') {
    return `${placeOf('tmux.socketName')} and ${placeOf('tmux.socketPath')} both name a tmux server; keep one of them.`;
  }
  // devflow configures its own server, and must not change the person's options by mistake.
  if (server === 'own' && socketName === USERS_SOCKET_NAME) {
    return `${placeOf('tmux.socketName')} is default, which is the name of your own tmux server; choose another name, or set tmux.server: user.`;
  }
  return undefined;
}

/** The words of a command for this server: `tmux -L devflow`. */
export function tmuxWords({ binaryPath, socketName, socketPath }: Settings['tmux']): string[] {
  return [binaryPath ?? 'tmux', ...(socketPath === undefined ? ['-L', socketName] : ['-S', socketPath])];
}

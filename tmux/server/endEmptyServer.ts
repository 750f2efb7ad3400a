import { isTmuxError } from '../command/errors.ts';
import type { Server } from './server.ts';
import { spawnRunner } from './spawnRunner.ts';

/**
 * Ends an own server whose only pane is that of the control session. tmux itself checks it, so nothing can be opened in
 * between. `mark` is an option that only the configuration of such a server sets. Any other server stays.
 */
export async function endEmptyServer(server: Server, controlSession: string, mark: `@${string}`): Promise<void> {
  if (server.owner !== 'own') return;
  const isAlone = `#{==:#{S:#{session_name} #{W:#{window_panes}.}},${controlSession} 1.}`;
  const command = ['if-shell', '-F', `#{&&:#{${mark}},${isAlone}}`, 'kill-server'] as const;
  try {
    await spawnRunner(server).run([command]);
  } catch (error) {
    // It ran no longer, or ended before it answered.
    if (!isTmuxError(error)) throw error;
  }
}

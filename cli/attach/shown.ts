import type { Env } from '../../schemas/files/paths.ts';
import { readShown } from '../../tmux/clients/clients.ts';
import type { Server } from '../../tmux/server/server.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';
import { popupClient } from '../client/popupClient.ts';
import { findClient } from './client.ts';
import { whereabouts } from './whereabouts.ts';

/** Every agent's pane carries its session under this name (daemon/sessions/tmux/server/panes.ts). */
export const SESSION_MARK = '@devflow_session';

/** The session whose pane the person's terminal shows; undefined where it shows something else, or nobody can tell. */
export async function shownSession(env: Env, named?: string): Promise<string | undefined> {
  const where = whereabouts(env, '');
  if (where.place === 'outside') return undefined;
  const server: Server = { owner: 'theirs', binary: 'tmux', address: { socketPath: where.socketPath } };
  try {
    const client = await findClient(server, where.session, { named, hint: popupClient(env) });
    if (client === undefined) return undefined;
    return (await readShown(spawnRunner(server), client, [SESSION_MARK]))?.options[SESSION_MARK] || undefined;
  } catch {
    // Then it begins with who needs a person most; what is wrong is told where the pane is shown.
    return undefined;
  }
}

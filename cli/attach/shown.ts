import type { Env } from '../../schemas/files/paths.ts';
import { readShown } from '../../tmux/clients/clients.ts';
import type { Server } from '../../tmux/server/server.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';
import { popupClient } from '../client/popupClient.ts';
import { findClient } from './client.ts';
import { whereabouts } from './whereabouts.ts';

/** The option of an agent's pane that holds its session id (`daemon/sessions/tmux/server/panes.ts`). */
export const SESSION_MARK = '@devflow_session';

/** The session whose pane the person's terminal shows; undefined for anything else. */
export async function shownSession(env: Env, named?: string): Promise<string | undefined> {
  const where = whereabouts(env, '');
  if (where.place === 'outside') return undefined;
  const server: Server = { owner: 'theirs', binary: 'tmux', address: { socketPath: where.socketPath } };
  try {
    const client = await findClient(server, where.session, { named, hint: popupClient(env) });
    if (client === undefined) return undefined;
    return (await readShown(spawnRunner(server), client, [SESSION_MARK]))?.options[SESSION_MARK] || undefined;
  } catch {
    // Without it, `--next` starts with the agent that needs a person most. `showPane` reports the fault.
    return undefined;
  }
}

import { DevflowError } from '../../schemas/errors.ts';
import { type Client, listClients } from '../../tmux/clients/clients.ts';
import { isTmuxError } from '../../tmux/command/errors.ts';
import type { Server } from '../../tmux/server/server.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';

/**
 * The client to use. A named one must exist. Otherwise it is a client of the session: the hinted one, else the one used last.
 * Undefined if no client shows the session, or its server has ended.
 */
export async function findClient(
  server: Server,
  session: string,
  { named, hint }: { named?: string; hint?: string } = {},
): Promise<string | undefined> {
  const clients = await listTerminals(server);
  if (named !== undefined) {
    if (clients.some(({ name }) => name === named)) return named;
    throw new DevflowError('not_found', `there is no tmux client ${named}`, {
      recoveryHint: "See tmux list-clients. A key binding names its own with '#{client_name}'.",
    });
  }
  const [latest] = clients
    .filter((client) => client.session === session)
    .sort((a, b) => Number(b.name === hint) - Number(a.name === hint) || b.lastActive - a.lastActive);
  return latest?.name;
}

async function listTerminals(server: Server): Promise<Client[]> {
  try {
    return (await listClients(spawnRunner(server))).filter(({ controlMode }) => !controlMode);
  } catch (error) {
    if (isTmuxError(error, 'no_server')) return [];
    throw error;
  }
}

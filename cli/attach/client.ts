import { DevflowError } from '../../schemas/errors.ts';
import { type Client, listClients } from '../../tmux/clients/clients.ts';
import { isTmuxError } from '../../tmux/errors.ts';
import type { Server } from '../../tmux/server/server.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';

/**
 * The client that asks: the one that is named, which must be there, else of those on the session the one that is hinted at,
 * else the one that was used last. Undefined when nobody looks at that session, or its server has ended.
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
      recoveryHint: "See tmux list-clients; a key binding gives its own as '#{client_name}'.",
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

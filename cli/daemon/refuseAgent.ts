import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { AGENT_VARIABLE } from '../../schemas/agentMark.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { isDeciding } from '../../schemas/rpc/methods/decidingMethods.ts';
import type { Client } from '../client/connect.ts';
import type { Io } from '../io/io.ts';

/**
 * Refuses an agent's decision where the daemon cannot identify the caller. Where it can, the daemon refuses and shows the
 * attempt at the gate. Agents of another daemon do not count.
 */
export async function refuseAgent(io: Io, client: Client, method: string, params: unknown): Promise<void> {
  const sessionId = io.env[AGENT_VARIABLE];
  if (!sessionId || !isDeciding(method, params) || canDaemonTell(io)) return;
  const isOurs = await client.call('session.get', { sessionId }).then(
    () => true,
    () => false,
  );
  if (isOurs) throw new DevflowError('agent_may_not_decide', `${method} is refused: it comes from an agent`);
}

function canDaemonTell({ env }: Io): boolean {
  const isThere = (name: string) =>
    (env.PATH ?? '').split(delimiter).some((directory) => existsSync(join(directory, name)));
  return process.platform === 'linux' && ['perl', 'python3'].some(isThere);
}

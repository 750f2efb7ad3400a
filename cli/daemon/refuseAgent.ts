import { AGENT_VARIABLE } from '../../schemas/agentMark.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { needsPerson } from '../../schemas/rpc/caller.ts';
import type { Client } from '../client/connect.ts';
import type { Io } from '../io/io.ts';

type Described = { name: string; 'x-caller'?: Parameters<typeof needsPerson>[0]['caller']; params: { name: string }[] };

/**
 * Refuses an agent the calls of a person where the daemon sees no environments: off Linux. On Linux the daemon refuses, and
 * shows the attempt at the gate. Agents of another daemon do not count.
 */
export async function refuseAgent(
  { env, platform = process.platform }: Pick<Io, 'env'> & { platform?: NodeJS.Platform },
  client: Pick<Client, 'call'>,
  method: string,
  params: unknown,
): Promise<void> {
  const sessionId = env[AGENT_VARIABLE];
  if (!sessionId || platform === 'linux') return;
  if (!(await isOurs(client, sessionId)) || !(await asksForPerson(client, method, params))) return;
  throw new DevflowError('agent_may_not_decide', `${method} was refused because an agent called it.`);
}

/** Only a session that is not there is another daemon's. */
async function isOurs(client: Pick<Client, 'call'>, sessionId: string): Promise<boolean> {
  try {
    await client.call('session.get', { sessionId });
    return true;
  } catch (error) {
    if (error instanceof DevflowError && error.code === 'not_found') return false;
    throw error;
  }
}

/** The daemon's own list, because the declarations of the methods would slow down the start of every command. */
async function asksForPerson(client: Pick<Client, 'call'>, method: string, params: unknown): Promise<boolean> {
  const { methods } = (await client.call('rpc.discover')) as unknown as { methods: Described[] };
  const described = methods.find(({ name }) => name === method);
  if (described === undefined) return false;
  const { 'x-caller': caller = 'person', params: all } = described;
  return needsPerson({ caller, paramNames: all.map(({ name }) => name) }, params);
}

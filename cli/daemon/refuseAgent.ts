import { basename } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { isId } from '../../schemas/ids.ts';
import {
  AGENT_VARIABLE,
  COMMAND_VARIABLE,
  hasMark,
  SESSION_DIRECTORY_VARIABLE,
} from '../../schemas/process/agentMark.ts';
import { type DescribedCaller, needsPerson } from '../../schemas/rpc/caller.ts';
import type { Client } from '../client/connect.ts';
import type { Io } from '../io/io.ts';

type Described = { name: string; 'x-caller'?: DescribedCaller; params: { name: string }[] };

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
  if (!hasMark(env) || platform === 'linux') return;
  const {
    [AGENT_VARIABLE]: agent,
    [SESSION_DIRECTORY_VARIABLE]: directory = '',
    [COMMAND_VARIABLE]: command = '',
  } = env;
  const sessionId = agent || basename(directory);
  const runId = command.split('/').find(isId);
  const isAgent = await isOurs(sessionId && client.call('session.get', { sessionId }));
  if (!isAgent && !(await isOurs(runId && client.call('run.get', { runId })))) return;
  if (!(await asksForPerson(client, method, params))) return;
  const who = isAgent ? 'an agent' : 'a command that devflow runs';
  throw new DevflowError('agent_may_not_decide', `${method} was refused because ${who} called it.`);
}

/** Refuses an agent a command that no daemon guards. Agents of another daemon count, too. */
export function refuseMarked({ env }: Pick<Io, 'env'>, command: string): void {
  if (hasMark(env)) throw new DevflowError('agent_may_not_decide', `${command} was refused because an agent called it`);
}

/** False if this daemon does not know the session or run: then it belongs to another daemon. */
async function isOurs(found: unknown): Promise<boolean> {
  try {
    return Boolean(await found);
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
  return needsPerson(
    caller,
    all.map(({ name }) => name),
    params,
  );
}

import { DevflowError } from '../../schemas/errors.ts';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { type Client, connect } from '../client/connect.ts';
import { PATIENCE, type Patience } from '../client/silence.ts';
import type { Io } from '../io.ts';
import { refuseAgent } from './refuseAgent.ts';

/** Lends a connection to the running daemon. Throws `daemon_not_running` when there is none. */
export async function withDaemon<T>(io: Io, use: (client: Client) => Promise<T>): Promise<T> {
  const client = await connectDaemon(io);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

/** The same, or undefined when no daemon runs; other failures are thrown. */
export async function readDaemon<T>(
  io: Io,
  use: (client: Client) => Promise<T>,
  patience: Patience = PATIENCE,
): Promise<T | undefined> {
  const client = await tryConnect(io, patience);
  if (client === undefined) return undefined;
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

export async function connectDaemon(io: Io): Promise<Client> {
  const { socketPath } = resolvePaths(io.env);
  try {
    return careful(io, await connect(socketPath));
  } catch (error) {
    if (!isNobody(error)) throw error;
    throw new DevflowError('daemon_not_running', `devflow is not running (nobody answers on ${socketPath})`, {
      data: { socketPath },
    });
  }
}

async function tryConnect(io: Io, patience: Patience): Promise<Client | undefined> {
  try {
    return careful(io, await connect(resolvePaths(io.env).socketPath, patience));
  } catch (error) {
    if (isNobody(error)) return undefined;
    throw error;
  }
}

/** Nobody listens, as opposed to a socket that may not be used. */
function isNobody(error: unknown): boolean {
  const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR';
}

/** The client, but it refuses the decisions of an agent. */
function careful(io: Io, client: Client): Client {
  return {
    ...client,
    async call(method, ...params) {
      await refuseAgent(io, client, method, params[0]);
      return client.call(method, ...params);
    },
    async request(method, params) {
      await refuseAgent(io, client, method, params);
      return client.request(method, params);
    },
  };
}

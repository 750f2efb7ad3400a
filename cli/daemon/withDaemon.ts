import { statSync } from 'node:fs';
import { resolvePaths } from '../../schemas/files/paths.ts';
import type { MethodName, RpcParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import { type Client, connect } from '../client/connect.ts';
import { PATIENCE, type Patience } from '../client/silence.ts';
import type { Io } from '../io/io.ts';
import { printJson } from '../print/output.ts';
import { notRunning } from './keeper.ts';
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

/** Like `withDaemon`, but undefined if no daemon runs. */
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
    return refusingAgents(io, await connect(socketPath));
  } catch (error) {
    if (!isNotRunning(error)) throw error;
    throw notRunning(io.env, `devflow is not running: no daemon listens on ${socketPath}`);
  }
}

async function tryConnect(io: Io, patience: Patience): Promise<Client | undefined> {
  const { socketPath } = resolvePaths(io.env);
  if (isMissing(socketPath)) return undefined;
  try {
    return refusingAgents(io, await connect(socketPath, patience));
  } catch (error) {
    if (isNotRunning(error)) return undefined;
    throw error;
  }
}

/** Most commands without a daemon find no socket, and a look is faster than an attempt to connect. */
function isMissing(socketPath: string): boolean {
  try {
    return statSync(socketPath, { throwIfNoEntry: false }) === undefined;
  } catch {
    // Somebody else's directory: to connect says what is wrong.
    return false;
  }
}

/** True if no daemon listens; false for a socket that refuses this user. */
function isNotRunning(error: unknown): boolean {
  const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR';
}

/** A client that refuses the decisions of an agent. */
function refusingAgents(io: Io, client: Client): Client {
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

/** Short, because a person waits for the completion at the prompt. */
const AT_PROMPT = { lookMs: 400, giveUpMs: 400 };

/** Asks a running daemon for what completes a word. Returns nothing if none answers. */
export async function askDaemon<T>(io: Io, read: (client: Client) => Promise<T[]>): Promise<T[]> {
  return (await readDaemon(io, read, AT_PROMPT)) ?? [];
}

/** The action of a command that calls one method of the daemon, and prints the answer or its JSON. */
export function calls<M extends MethodName>(
  method: M,
  print: (io: Io, answer: RpcResult<M>, params: RpcParams<M>) => void,
  exitCode: (answer: RpcResult<M>) => number = () => 0,
) {
  return async (params: RpcParams<M>, { json }: { json?: boolean }, io: Io): Promise<number> => {
    const answer = (await withDaemon(io, (client) => client.request(method, params))) as RpcResult<M>;
    if (json) printJson(io, answer);
    else print(io, answer, params);
    return exitCode(answer);
  };
}

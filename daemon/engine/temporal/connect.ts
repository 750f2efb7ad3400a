import { readFileSync } from 'node:fs';
import type { Config } from '../../../schemas/config/config.ts';
import { defined } from '../../../schemas/defined.ts';
import { toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { sha256hex } from '../../../schemas/hash.ts';
import { cutTo } from '../../../schemas/text/phrases.ts';
import { visible } from '../../../schemas/text/visible.ts';
import type { Sdk } from './loadSdk.ts';

type Settings = Config['temporal'];
export type Connection = import('@temporalio/client').Connection;
interface ConnectionOptions {
  address: string;
  connectTimeout: number;
  tls: import('@temporalio/client').TLSConfig | boolean;
  apiKey?: string;
}

/** A call that somebody waits for gets no more time. */
export const CALL_MS = 5_000;

/** By default the client waits for up to two minutes before it tries to connect again. */
const RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 250,
  'grpc.min_reconnect_backoff_ms': 250,
  'grpc.max_reconnect_backoff_ms': 5_000,
};
/** A link that was cut, or that a router forgot, is noticed after these times. */
const KEEPALIVE = { 'grpc.keepalive_time_ms': 15_000, 'grpc.keepalive_timeout_ms': 5_000 };
/** By default the client repeats a call ten times, which hides for half a minute that nobody answers. */
const MOST_ATTEMPTS = 3;
/** A cause in a line that people read. */
const MOST_LETTERS = 120;

/** The settings with which the client and the workers reach the server. Throws if a certificate cannot be read. */
export function connectionOptions({ address, apiKey, tls }: Settings, patienceMs = CALL_MS): ConnectionOptions {
  const { enabled, caFile, certFile, keyFile, serverName } = tls;
  const options: ConnectionOptions = { address, connectTimeout: patienceMs, tls: enabled };
  if (apiKey !== undefined) options.apiKey = apiKey;
  if (!enabled) return options;
  options.tls = {
    ...defined({
      serverNameOverride: serverName,
      serverRootCACertificate: caFile === undefined ? undefined : readCertificate('caFile', caFile),
    }),
    ...(certFile !== undefined &&
      keyFile !== undefined && {
        clientCertPair: { crt: readCertificate('certFile', certFile), key: readCertificate('keyFile', keyFile) },
      }),
  };
  return options;
}

/** A client that connects with its first call, and again after every loss. */
export function openClient({ client }: Pick<Sdk, 'client'>, settings: Settings): Connection {
  const retries = client.makeGrpcRetryInterceptor(client.defaultGrpcRetryOptions({ maxAttempts: MOST_ATTEMPTS }));
  const channelArgs = { ...RECONNECT, ...KEEPALIVE };
  return client.Connection.lazy({ ...connectionOptions(settings), channelArgs, interceptors: [retries] });
}

/** Why the server does not answer, as the end of a sentence about it. */
export function serverTrouble(error: unknown, namespace: string): string {
  if (hasCode(error, NOT_FOUND)) return `has no namespace ${namespace}`;
  if (hasCode(error, DEADLINE_EXCEEDED)) return 'does not answer in time';
  const { details, message } = error as { details?: unknown; message?: unknown };
  const why = String(typeof details === 'string' && details !== '' ? details : message);
  return `does not answer (${cutTo(visible(why), MOST_LETTERS)})`;
}

/** Connects, and checks that the namespace exists. Throws `temporal_unreachable`. */
export async function connectClient(
  { client }: Pick<Sdk, 'client'>,
  settings: Settings,
  patienceMs: number,
): Promise<Connection> {
  const { address, namespace } = settings;
  const options = connectionOptions(settings, patienceMs);
  const connection = await client.Connection.connect(options).catch((error: unknown) => {
    throw unreachable(`No Temporal server answers at ${address}`, error);
  });
  try {
    await readNamespaceId(connection, namespace, patienceMs);
    return connection;
  } catch (error) {
    await connection.close();
    const what = hasCode(error, NOT_FOUND)
      ? `has no namespace ${namespace}`
      : `does not answer about the namespace ${namespace}`;
    throw unreachable(`The Temporal server at ${address} ${what}`, error);
  }
}

/** A namespace that was made again has another id: everything in it is gone. */
export async function readNamespaceId(
  connection: Connection,
  namespace: string,
  patienceMs = CALL_MS,
): Promise<string> {
  const { namespaceInfo } = await connection.withDeadline(Date.now() + patienceMs, () =>
    connection.workflowService.describeNamespace({ namespace }),
  );
  return namespaceInfo?.id ?? '';
}

/** Codes of gRPC. */
const DEADLINE_EXCEEDED = 4;
const NOT_FOUND = 5;

function hasCode(error: unknown, code: number): boolean {
  return (error as { code?: unknown }).code === code;
}

function unreachable(what: string, cause: unknown): DevflowError {
  return new DevflowError('temporal_unreachable', `${what}: ${toErrorRecord(cause).message}.`, { cause });
}

function readCertificate(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const why = (cause as Error).message;
    throw new DevflowError('config_invalid', `temporal.tls.${name} cannot be read: ${why}.`, { cause });
  }
}

type Queryable = Pick<import('pg').Pool, 'query'>;

/**
 * The beginning of the names of this database's task queues and workflows. Two databases that share a name do each
 * other's work. A restored dump has another name, and its runs get workflows of their own. A physical copy of the
 * server keeps the name: it needs another `temporal.prefix`.
 */
export async function databasePrefix(pool: Queryable): Promise<string> {
  const { rows } = await pool.query(
    `SELECT system_identifier || ':' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS name
     FROM pg_control_system()`,
  );
  return `devflow-${sha256hex(rows[0].name).slice(0, 12)}`;
}

import pg from 'pg';

const INT8 = 20;
/** Reads int8 as a number: seqs and epochs stay far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** The settings of every connection of devflow. */
export function connectionConfig(target: pg.ClientConfig): pg.ClientConfig {
  // Without the delay, a client learns only after 2 h that the server's machine is gone.
  const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 6_000 };
  return { application_name: 'devflow', ...keepAlive, connectionTimeoutMillis: 10_000, types, ...target };
}

/**
 * A server notices after about 15 s that a client's machine lost its power or its network. By default it takes 2 h 11 min,
 * and meanwhile the session keeps its locks. A statement, because a pooler refuses such settings at the start of a connection.
 */
const NOTICE_DEAD_CLIENT = [
  'SET tcp_keepalives_idle = 6',
  'SET tcp_keepalives_interval = 3',
  'SET tcp_keepalives_count = 3',
  'SET tcp_user_timeout = 15000',
].join(';');

/** Every connection of devflow begins with this. */
export async function connectClient(client: pg.Client): Promise<void> {
  await client.connect();
  await noticeDeadClient(client);
}

export async function noticeDeadClient(client: pg.ClientBase): Promise<void> {
  // A server sees the end of a client on its own machine.
  if ('host' in client && String(client.host).startsWith('/')) return;
  await client.query(NOTICE_DEAD_CLIENT).catch((error: unknown) => {
    // A server without these settings keeps its own.
    if (!(error instanceof pg.DatabaseError)) throw error;
  });
}

/** The server process of a session. */
export async function backendOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query('SELECT pg_backend_pid() AS backend');
  return rows[0].backend;
}

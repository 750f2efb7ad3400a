import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { DatabaseMode } from '../../schemas/enums.ts';
import type { Database } from './open.ts';
import * as schema from './schema/index.ts';

const INT8 = 20;
/** Reads int8 as a number: seqs and epochs stay far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** The settings of every connection of devflow. */
export function connectionConfig(target: pg.ClientConfig): pg.ClientConfig {
  return { application_name: 'devflow', keepAlive: true, connectionTimeoutMillis: 10_000, types, ...target };
}

/** Pool and drizzle over a connection. Opens no connection yet. */
export function databaseOver(
  mode: DatabaseMode,
  connection: pg.ClientConfig,
  server: { adopted: boolean; serverPid?: number; stop(): Promise<void> },
): Database {
  // One stays: a new connection must read the catalogue before its first answer. Each takes 3 MB.
  const pool = new pg.Pool({ ...connection, max: 8, min: 1, idleTimeoutMillis: 10_000 });
  // Without a listener a dead idle connection ends the process. The pool replaces it.
  pool.on('error', () => {});
  // The same for a connection in use: its query rejects.
  pool.on('connect', (client) => client.on('error', () => {}));
  let ending: Promise<void> | undefined;
  const close = () => {
    ending ??= pool.end();
    return ending;
  };
  return {
    mode,
    connection,
    pool,
    drizzle: drizzle(pool, { schema }),
    adopted: server.adopted,
    ...(server.serverPid === undefined ? {} : { serverPid: server.serverPid }),
    close,
    async stopServer() {
      await close();
      await server.stop();
    },
  };
}

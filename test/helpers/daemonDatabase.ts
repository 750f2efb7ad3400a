import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { Paths } from '../../schemas/files/paths.ts';
import { COPY_STRATEGY } from './copyStrategy.ts';
import type {} from './globalPostgres.ts';
import { startPrivatePostgres } from './privatePostgres.ts';

/** The database of a test's daemon. */
export interface DaemonDatabase {
  /** What the daemon is told of it. */
  env: Record<string, string>;
  /** Lends a connection. Null for one that only the daemon knows. */
  withClient: (<T>(use: (client: pg.Client) => Promise<T>) => Promise<T>) | null;
  /** Starts its server again after the test killed it, unless the daemon does that. */
  start(): Promise<void>;
  /** Stops a server that is there for this database alone. */
  stop(): Promise<void>;
  drop(): Promise<void>;
}

const nothing = async () => {};

/** The one that the daemon starts itself. */
export function embeddedDatabase(): DaemonDatabase {
  return { env: { DEVFLOW_DB: 'embedded' }, withClient: null, start: nothing, stop: nothing, drop: nothing };
}

/** A server of its own, where an embedded one would be, for a daemon that only takes an external database. */
export async function privateDatabase(paths: Paths): Promise<DaemonDatabase> {
  const server = await startPrivatePostgres(paths);
  return { ...external(server.url, server.config), start: server.start, stop: server.stop };
}

/** A copy of the migrated template on the tests' server, ready at once. */
export async function copiedDatabase(): Promise<DaemonDatabase> {
  const name = `e2e_${randomUUID().replaceAll('-', '')}`;
  const { host, port, user, template } = inject('postgres');
  const asAdmin = (statement: string) =>
    lending({ host, port, user, database: 'postgres' })((client) => client.query(statement));
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template} ${COPY_STRATEGY}`);
  const query = new URLSearchParams({ host, port: String(port), user });
  return {
    ...external(`postgres:///${name}?${query}`, { host, port, user, database: name }),
    drop: async () => void (await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

function external(url: string, config: pg.ClientConfig): DaemonDatabase {
  const env = { DEVFLOW_DB: 'external', DEVFLOW_DATABASE_URL: url };
  return { env, withClient: lending(config), start: nothing, stop: nothing, drop: nothing };
}

function lending(config: pg.ClientConfig) {
  return async <T>(use: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client(config);
    // A test may kill the server.
    client.on('error', () => {});
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  };
}

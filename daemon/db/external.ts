import pg from 'pg';
import { DevflowError } from '../../schemas/errors.ts';
import { awaitServer, type Patience } from './awaitServer.ts';
import { connectionConfig } from './connect.ts';
import { type Database, databaseOver, type OpenOptions } from './database.ts';
import { unreachable } from './pgErrors.ts';
import { refusePooler } from './refusePooler.ts';

/** Opens a database that devflow does not run. Throws `config_invalid` without a usable URL, or `db_unreachable`. */
export async function openExternal({ url = '', ...patience }: Pick<OpenOptions, 'url'> & Patience): Promise<Database> {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new DevflowError(
      'config_invalid',
      'Database mode external needs a URL like postgres://user@host:5432/name.',
      {
        recoveryHint: 'Set DEVFLOW_DATABASE_URL.',
      },
    );
  }
  const database = databaseOver('external', connectionConfig({ connectionString: url }), {
    adopted: true,
    stop: async () => {},
  });
  try {
    await awaitServer(database.pool, nameOf(url), patience, refusePooler);
  } catch (error) {
    await database.close();
    throw unreachable(error);
  }
  return database;
}

/** Host, port and database of a URL, without its password. */
function nameOf(url: string): string {
  try {
    // It reads the URL as each connection does, and connects to nothing.
    const { host, port, database } = new pg.Client({ connectionString: url });
    return `The database ${host}:${port}/${database}`;
  } catch {
    return 'The database of the configured URL';
  }
}

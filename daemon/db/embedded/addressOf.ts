import type pg from 'pg';
import type { PostmasterFile } from '../../../schemas/embeddedServer/postmasterFile.ts';
import { SUPERUSER } from './cluster.ts';

/** Where a connection finds the embedded server, and as whom it logs in. */
export function addressOf({ socketDir, port }: PostmasterFile): pg.ClientConfig {
  // PG* variables for another database must not apply here.
  return { host: socketDir, port, user: SUPERUSER, database: 'postgres', password: '', ssl: false };
}

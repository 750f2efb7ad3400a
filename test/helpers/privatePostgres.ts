import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type pg from 'pg';
import { openDatabase } from '../../daemon/db/open.ts';
import type { Paths } from '../../schemas/files/paths.ts';

/** A Postgres for one test, which may kill it. */
export interface PrivatePostgres {
  url: string;
  config: pg.ClientConfig;
  /** Of the server's first process. */
  pid(): number;
  /** Starts it again if it is gone. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Where the daemon of these paths would have its own, so that tests find the same files. */
export async function startPrivatePostgres(paths: Paths): Promise<PrivatePostgres> {
  const open = () => {
    // A daemon closes its directory for runtime files. A server of another user would then put its socket elsewhere.
    for (const directory of [paths.dataDir, paths.runtimeDir, dirname(paths.databaseLog)]) {
      mkdirSync(directory, { recursive: true });
      chmodSync(directory, 0o711);
    }
    return openDatabase({
      mode: 'embedded',
      dataDir: paths.postgresData,
      socketDir: paths.postgresSocketDir,
      logFile: paths.databaseLog,
      binariesCacheDir: paths.binariesCache,
    });
  };
  let pid = 0;
  const start = async () => {
    const { serverPid, connection, close } = await open();
    pid = serverPid ?? 0;
    await close();
    return connection;
  };
  const connection = await start();
  const { host = '', port = 0, user = '', database = '' } = connection;
  const query = new URLSearchParams({ host, port: String(port), user });
  return {
    url: `postgres:///${database}?${query}`,
    config: { host, port, user, database },
    pid: () => pid,
    start: async () => void (await start()),
    stop: async () => (await open()).stopServer(),
  };
}

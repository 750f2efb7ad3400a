import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../../../daemon/db/open.ts';
import { clusterPlace } from '../../../schemas/embeddedServer/postmasterFile.ts';
import { signalIfThere } from '../../../schemas/process/processes.ts';
import { startTemporalServer } from '../../helpers/temporalServer.ts';
import { until } from '../../helpers/until.ts';

/** The one Postgres of the three hosts. */
export interface PostgresServer {
  port: number;
  socketDir: string;
  start(): Promise<void>;
  /** As its service would. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Ends one connection of a daemon, by chance. Returns what it was doing last. */
  endBackend(pick: (pids: readonly number[]) => number): Promise<string>;
  /** Keeps a copy, as of one moment. */
  copy(): void;
  /** Goes back to the copy, once it was killed. */
  restore(): void;
  query: Query;
  /** No event is written meanwhile. It may kill the server. */
  alone<T>(use: (query: Query) => Promise<T>): Promise<T>;
}

type Query = (statement: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

interface Listening {
  address: string;
  range: string;
}

const PORT = 5432;

/** Also listens on an address, if one is given. Starts it. */
export async function startPostgres(root: string, listening: Listening | undefined): Promise<PostgresServer> {
  const [dataDir, socketDir] = [join(root, 'data'), join(root, 's')];
  const [hba, kept] = [join(root, 'hba.conf'), join(root, 'copy')];
  mkdirSync(root, { recursive: true });
  chmodSync(root, 0o711);
  writeFileSync(hba, `local all all trust\n${listening ? `host all devflow ${listening.range} trust\n` : ''}`);
  const address: Record<string, string> = listening ? { listen_addresses: listening.address } : {};
  const settings = { max_connections: '200', hba_file: hba, ...address };
  let pid = 0;
  let socket = '';
  const open = () =>
    openDatabase({
      mode: 'embedded',
      ...{ dataDir, socketDir, logFile: join(root, 'postgres.log'), binariesCacheDir: join(root, 'cache'), settings },
    });
  const own = () => [pid, ...childrenOf(pid)];

  async function lend<T>(use: (query: Query) => Promise<T>): Promise<T> {
    const client = new pg.Client({ host: socket, port: PORT, user: 'devflow', database: 'postgres' });
    client.on('error', () => {});
    await client.connect();
    try {
      return await use(async (statement, values = []) => (await client.query(statement, values)).rows);
    } finally {
      await client.end();
    }
  }

  const server: PostgresServer = {
    port: PORT,
    get socketDir() {
      return socket;
    },
    async start() {
      const opened = await open();
      pid = opened.serverPid ?? 0;
      socket = String(opened.connection.host);
      await opened.close();
    },
    stop: async () => (await open()).stopServer(),
    async kill() {
      const all = own();
      for (const each of all) signalIfThere(each, 'SIGKILL');
      await until('Postgres is gone', () => !all.some((each) => childExists(each)));
    },
    async endBackend(pick) {
      const rows = await server.query(
        `SELECT pid, query FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY pid`,
      );
      const chosen = pick(rows.map((row) => Number(row.pid)));
      await server.query('SELECT pg_terminate_backend($1)', [chosen]);
      return String(rows.find((row) => row.pid === chosen)?.query).slice(0, 60);
    },
    copy() {
      // Nobody writes meanwhile: to Postgres it looks like a copy of a disk after a power failure.
      signalIfThere(pid, 'SIGSTOP');
      const all = own();
      for (const each of all) signalIfThere(each, 'SIGSTOP');
      rmSync(kept, { recursive: true, force: true });
      execFileSync('cp', ['-a', clusterPlace(dataDir), kept]);
      for (const each of all.reverse()) signalIfThere(each, 'SIGCONT');
    },
    restore() {
      rmSync(join(kept, 'postmaster.pid'), { force: true });
      rmSync(clusterPlace(dataDir), { recursive: true, force: true });
      execFileSync('cp', ['-a', kept, clusterPlace(dataDir)]);
    },
    query: (statement, values) => lend((query) => query(statement, values)),
    alone: (use) =>
      lend(async (query) => {
        await query('BEGIN');
        await query('LOCK TABLE run_events IN EXCLUSIVE MODE');
        return use(query);
      }),
  };
  await server.start();
  return server;
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

const childExists = (pid: number) => parentOf(String(pid)) !== undefined;

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => parentOf(pid) === parent).map(Number);
}

/** The one Temporal of the three hosts. */
export interface TemporalOfChaos {
  host: string;
  port: number;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Removes all that it knew. It must not run. */
  forget(): void;
}

export async function startTemporal(program: string, directory: string): Promise<TemporalOfChaos> {
  mkdirSync(directory, { recursive: true });
  const server = await startTemporalServer(program, directory);
  const [host = '', port = ''] = server.address.split(':');
  return {
    host,
    port: Number(port),
    kill: server.kill,
    start: server.start,
    forget() {
      for (const name of readdirSync(directory).filter((each) => each.startsWith('temporal.db')))
        rmSync(join(directory, name));
    },
  };
}

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { DevflowError } from '../../schemas/errors.ts';
import { awaitServer, type Patience } from './awaitServer.ts';
import { connectionConfig } from './connect.ts';
import { type Database, databaseOver, type OpenOptions } from './database.ts';

/** The database of docker-compose.yml, on the loopback interface only. */
export const COMPOSE_URL = 'postgres://devflow:devflow@127.0.0.1:54329/devflow';

/** Opens the database of docker-compose.yml; starts it if it is down. Throws `db_unreachable` with docker's message. */
export async function openCompose(options: Pick<OpenOptions, 'url' | 'composeFile'> & Patience): Promise<Database> {
  const file = options.composeFile ?? findComposeFile(import.meta.dirname);
  const adopted = await isUp(file);
  if (!adopted) await compose(file, ['up', '--detach', '--wait']);
  const connection = connectionConfig({ connectionString: options.url ?? COMPOSE_URL });
  const database = databaseOver('compose', connection, {
    adopted,
    stop: async () => {
      await compose(file, ['stop']);
    },
  });
  try {
    await awaitServer(database.pool, 'The compose database', options);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function isUp(file: string): Promise<boolean> {
  return (await compose(file, ['ps', '--quiet', '--status', 'running'])).trim() !== '';
}

async function compose(file: string, args: string[]): Promise<string> {
  const ran = await execa('docker', ['compose', '-f', file, ...args], { reject: false, stdin: 'ignore' });
  if (ran.exitCode === 0) return ran.stdout;
  if (ran.code === 'ENOENT') {
    throw new DevflowError('db_unreachable', 'Database mode compose needs docker, and docker is not on PATH.', {
      recoveryHint: 'Install Docker, or use the embedded database: devflow up --db embedded.',
    });
  }
  // Without the plugin docker ignores `compose` and complains about the flags.
  if (/is not a docker command|unknown (shorthand )?flag/.test(ran.stderr ?? '')) {
    throw new DevflowError(
      'db_unreachable',
      'Database mode compose needs the compose plugin of docker (v2), which is not installed.',
      {
        recoveryHint: 'Install docker-compose-plugin, or use the embedded database: devflow up --db embedded.',
      },
    );
  }
  const why = lastLine(ran.stderr) ?? ran.shortMessage;
  throw new DevflowError('db_unreachable', `docker compose ${args[0]} failed: ${why}`, {
    recoveryHint:
      'Check that the Docker daemon runs (docker info), or use the embedded database: devflow up --db embedded.',
    cause: ran,
  });
}

function lastLine(text: string | undefined): string | undefined {
  return text?.trim().split('\n').at(-1)?.trim() || undefined;
}

/** The nearest docker-compose.yml beside a package.json, upwards: source and bundle are at different depths. */
function findComposeFile(from: string): string {
  const file = join(from, 'docker-compose.yml');
  if (existsSync(file) && existsSync(join(from, 'package.json'))) return file;
  const parent = dirname(from);
  if (parent === from) throw new DevflowError('db_unreachable', 'The devflow package has no docker-compose.yml.');
  return findComposeFile(parent);
}

import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { COMPOSE_URL } from '../../db/compose.ts';
import { openExternal } from '../../db/external.ts';
import type { Examined } from './check.ts';
import { type FoundDatabase, lookForEmbedded } from './embeddedProbe.ts';
import { ask } from './program.ts';

/** Checks that the configured database answers. Starts, makes and adopts nothing. */
export async function lookForDatabase(subject: Examined): Promise<FoundDatabase> {
  const { mode, url } = subject.config?.database ?? { mode: 'embedded' as const };
  try {
    switch (mode) {
      case 'embedded':
        return await lookForEmbedded(subject.paths);
      case 'compose':
        return (await composeDown(subject)) ?? (await lookAt(url ?? COMPOSE_URL, 'the compose database'));
      case 'external':
        return await lookAt(url ?? '', 'the external database');
      default:
        return mode satisfies never;
    }
  } catch (error) {
    return broken(error);
  }
}

async function lookAt(url: string, name: string): Promise<FoundDatabase> {
  const { pool, close } = await openExternal({ url, patienceMs: 0 });
  return { state: 'up', detail: `${name} answers`, pool, close };
}

async function composeDown({ env, packageDir }: Examined): Promise<FoundDatabase | undefined> {
  const file = join(packageDir, 'docker-compose.yml');
  const ran = await ask('docker', ['compose', '-f', file, 'ps', '--quiet', '--status', 'running'], env);
  const remediation = 'Install and start Docker, or use the embedded database: devflow up --db embedded.';
  if (!ran) return { state: 'broken', detail: 'docker is not on PATH', remediation };
  if (!ran.ok) return { state: 'broken', detail: `docker compose failed: ${ran.why}`, remediation };
  return ran.out === '' ? { state: 'down', detail: 'the container is not started (devflow up starts it)' } : undefined;
}

/** An error as a state. */
function broken(error: unknown): Extract<FoundDatabase, { state: 'broken' }> {
  const detail = error instanceof Error ? error.message : String(error);
  const remediation = error instanceof DevflowError ? error.recoveryHint : 'Run devflow up and read its output.';
  return { state: 'broken', detail: detail.replace(/\.$/, ''), remediation };
}

import type { Database } from './db/database.ts';
import { type BootOptions, prepareGround } from './startup/ground.ts';
import { openAgents } from './startup/openAgents.ts';
import { openSocket } from './startup/openSocket.ts';
import { openStore } from './startup/openStore.ts';

/** Each step needs those above it; the lifecycle releases them in reverse. */
export async function boot(options: BootOptions): Promise<{ socketPath: string; runs: number; database: Database }> {
  const ground = prepareGround(options);
  const store = await openStore(ground);
  const agents = await openAgents(ground, store);
  await openSocket(ground, store, agents);
  return { socketPath: options.paths.socketPath, runs: agents.runs, database: store.database };
}

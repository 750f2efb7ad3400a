import { isAlive } from '../../schemas/process/processes.ts';
import type { Server } from '../../tmux/server/server.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';
import { killServer, readIdentity } from '../../tmux/server/startServer.ts';
import { until } from './until.ts';

/** Ends an own tmux server. Until its process has ended, a new client may still reach it, and would lose its connection. */
export async function endServer(server: Server): Promise<void> {
  const { pid } = await readIdentity(spawnRunner(server));
  await killServer(server);
  await until('the tmux server has ended', async () => !isAlive(pid));
}

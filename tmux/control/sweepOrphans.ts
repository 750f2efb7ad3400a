import { listClients } from '../clients/clients.ts';
import type { Runner } from '../command/runner.ts';
import { parentOf } from '../process/processes.ts';

/**
 * Kills control-mode clients that a killed process of ours left in our control session: clients whose parent is gone.
 * Returns their pids. Such a client normally ends with its input. One that blocks does not, and blocks the server.
 */
export async function sweepOrphans(runner: Runner, controlSession: string): Promise<number[]> {
  const clients = await listClients(runner);
  const orphans = clients.filter((client) => client.controlMode && client.sessionName === controlSession);
  const ended: number[] = [];
  for (const { pid } of orphans) {
    if (parentOf(pid) !== 1) continue;
    try {
      process.kill(pid, 'SIGKILL');
      ended.push(pid);
    } catch {
      // It has ended meanwhile.
    }
  }
  return ended;
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LAST_LINES = 40;

/** The connections to the database of the test, as its server sees them. */
export const CONNECTIONS = `SELECT pid, state, wait_event_type AS waits, wait_event AS event, pg_blocking_pids(pid) AS "blockedBy",
    round(extract(epoch FROM clock_timestamp() - state_change) * 1000) AS "sinceMs", left(query, 120) AS query
  FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY pid`;

/**
 * What a process that does not end is at: its last log lines, whether it works (its `ticks` grow) or waits, where its threads
 * are, and what its database does for it.
 */
export async function whatItWaitsFor(
  pid: number,
  ticksBefore: number,
  options: { logFile: string; readConnections(): Promise<unknown[]> },
): Promise<string> {
  const { logFile, readConnections } = options;
  const used = processorTicks(pid) - ticksBefore;
  const lines = existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LAST_LINES) : [];
  const connections = await readConnections().catch((error: Error) => [{ unknown: error.message }]);
  return [
    `it used ${used} hundredths of a second of a processor; its threads: ${threadsOf(pid)}; its last log lines:`,
    ...lines,
    'the connections of its database:',
    ...connections.map((connection) => JSON.stringify(connection)),
  ].join('\n');
}

/** NaN where there is no /proc. */
export function processorTicks(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  // The name of the program may hold spaces.
  const [, , , , , , , , , , , user, system] = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(user) + Number(system);
}

/** The name of each thread and the place in the kernel where it sleeps. */
function threadsOf(pid: number): string {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return 'unknown';
  const read = (task: string, file: string) => readFileSync(join(tasks, task, file), 'utf8').trim();
  return readdirSync(tasks)
    .map((task) => `${read(task, 'comm')} ${read(task, 'wchan')}`)
    .join(', ');
}

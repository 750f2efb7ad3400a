import { isTerminal } from '../../schemas/names.ts';
import { type Client, connect } from '../client/connect.ts';
import { stopDaemon, stopDatabase } from '../daemon/stopDaemon.ts';
import { watchRun } from '../run/watchRun.ts';
import type { Scratch } from './scratch.ts';

/** Ends the runs, the daemon and the database of a scratch, also when the daemon does not answer any more. */
export async function stopEverything({ env }: Pick<Scratch, 'env'>, socket: string | undefined): Promise<void> {
  const client = socket && (await connect(socket).catch(() => undefined));
  if (!client) {
    await stopDatabase(env);
    return;
  }
  await abortRuns(client, () => connect(socket));
  await stopDaemon(client, env);
}

/** A command of a run would outlive the daemon. */
async function abortRuns(client: Client, again: () => Promise<Client>): Promise<void> {
  const open = (await client.call('run.list', {})).filter(({ state }) => !isTerminal(state));
  for (const { runId } of open) {
    await client.call('run.abort', { runId, reason: 'Its directory is removed.' });
    await watchRun({ connect: again, runId, onChange: () => {}, signal: new AbortController().signal });
  }
}

import { connectClient, databasePrefix } from '../../daemon/engine/temporal/connect.ts';
import { loadClient } from '../../daemon/engine/temporal/loadSdk.ts';
import { defaultSettings } from '../../schemas/config/settings.ts';
import type { TestTemporal } from './globalTemporal.ts';

declare module '@temporalio/client' {
  interface WorkflowHandle {
    terminate(reason: string): Promise<unknown>;
  }
}

/** The server is there, but the machine may be busy. */
const CONNECT_MS = 15_000;

type Place = Pick<TestTemporal, 'address' | 'namespace' | 'packages'>;

/**
 * Ends the workflows of a database that is about to go. Those of runs that ended after their daemon was told to stop would
 * wait for another daemon, and the server would retry their activities until it stops.
 */
export async function endWorkflows(place: Place, database: Parameters<typeof databasePrefix>[0]): Promise<void> {
  const [prefix, { rows }] = [await databasePrefix(database), await database.query('SELECT id FROM runs')];
  await withTemporal(place, async (client, { WorkflowNotFoundError }) => {
    const ends = rows.map(({ id }) =>
      client.workflow
        .getHandle(`${prefix}-run-${id}`)
        .terminate('the test is over')
        .catch((error: unknown) => {
          if (!(error instanceof WorkflowNotFoundError)) throw error;
        }),
    );
    await Promise.all(ends);
  });
}

/** The ids of the workflows in this state, one for each of their executions. */
export function listWorkflows(place: Place, status: 'Running' | 'ContinuedAsNew'): Promise<string[]> {
  return withTemporal(place, async (client) => {
    const ids: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query: `ExecutionStatus = '${status}'` }))
      ids.push(workflowId);
    return ids;
  });
}

async function withTemporal<T>(
  { address, namespace, packages }: Place,
  use: (client: import('@temporalio/client').Client, sdk: typeof import('@temporalio/client')) => Promise<T>,
): Promise<T> {
  const sdk = loadClient(packages);
  const { temporal } = defaultSettings({ workspaceRoot: '/ws', tmuxSocketName: 'none' });
  const connection = await connectClient(sdk, { ...temporal, address, namespace }, CONNECT_MS);
  try {
    return await use(new sdk.client.Client({ connection, namespace }), sdk.client);
  } finally {
    await connection.close();
  }
}

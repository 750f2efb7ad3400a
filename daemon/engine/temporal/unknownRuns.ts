import type { Sdk } from './loadSdk.ts';
import { UNKNOWN_RUN } from './plan.ts';

/**
 * Ends the workflows of runs that the log lacks, because an older database was restored. A workflow that waits for a person
 * would never end. The list comes first: a run is in the log before it has a workflow.
 */
export async function endUnknownRuns(options: {
  sdk: Pick<Sdk, 'client'>;
  client: import('@temporalio/client').Client;
  queue: string;
  /** The beginning of a workflow's id; the rest is the id of the run. */
  before: string;
  isKnown(runId: string): Promise<boolean>;
}): Promise<void> {
  const { sdk, client, queue, before, isKnown } = options;
  for await (const { workflowId } of client.workflow.list({
    query: `TaskQueue = '${queue}' AND ExecutionStatus = 'Running'`,
  })) {
    if (!workflowId.startsWith(before) || (await isKnown(workflowId.slice(before.length)))) continue;
    await client.workflow
      .getHandle(workflowId)
      .signal('moved', UNKNOWN_RUN)
      .catch((error: unknown) => {
        if (!(error instanceof sdk.client.WorkflowNotFoundError)) throw error;
      });
  }
}

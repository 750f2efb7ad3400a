import { readFileSync } from 'node:fs';
import { loadSdk } from '../../../../../daemon/engine/temporal/loadSdk.ts';
import { installRuntime } from '../../../../../daemon/engine/temporal/runtime.ts';
import { workflowBundle } from '../../../../../daemon/engine/temporal/workflowBundle.ts';
import { silent } from '../../local/support/performing.ts';
import { fileOf, listHistories } from './recordedHistory.ts';

/** Replays the recorded histories against the built workflow, in a process of its own: the SDK's runtime keeps it alive. */
const { packages, workflow } = JSON.parse(process.argv[2] ?? '{}') as { packages: string; workflow: string };
const sdk = loadSdk(packages);
const logger = installRuntime(sdk, { ...silent, trace() {} });
const codePath = await workflowBundle({ sdk, source: workflow, packages, logger });
const { Worker } = sdk.worker as unknown as {
  Worker: { runReplayHistory(options: object, history: unknown, workflowId: string): Promise<void> };
};
const results = [];
for (const name of listHistories()) {
  const history = JSON.parse(readFileSync(fileOf(name), 'utf8'));
  const failed = await Worker.runReplayHistory({ workflowBundle: { codePath } }, history, 'replayed').then(
    () => null,
    (error: Error) => error.message,
  );
  results.push({ name, error: failed });
}
process.stdout.write(JSON.stringify(results), () => process.exit(0));

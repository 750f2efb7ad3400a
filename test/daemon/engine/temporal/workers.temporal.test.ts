import { expect, onTestFinished, test } from 'vitest';
import { connectionOptions } from '../../../../daemon/engine/temporal/connect.ts';
import { loadSdk } from '../../../../daemon/engine/temporal/loadSdk.ts';
import { installRuntime } from '../../../../daemon/engine/temporal/runtime.ts';
import { startWorkers } from '../../../../daemon/engine/temporal/workers.ts';
import { workflowBundle } from '../../../../daemon/engine/temporal/workflowBundle.ts';
import { until } from '../../../helpers/until.ts';
import { temporalPlace, temporalSettings } from './support/temporalPlace.ts';

type Create = ReturnType<typeof loadSdk>['worker']['Worker']['create'];
type Made = Awaited<ReturnType<Create>>;

const quiet = () => {};
const log = { trace: quiet, debug: quiet, warn: quiet, error: quiet };

/** Starts real workers of real connections, whose making goes through `create`. */
async function givenWorkers(create: (make: () => Promise<Made>) => Promise<Made>) {
  const { packages, workflow, ...server } = temporalPlace();
  const sdk = loadSdk(packages);
  const logger = installRuntime(sdk, log);
  const connection = await sdk.worker.NativeConnection.connect(connectionOptions(temporalSettings(server)));
  const Worker = { create: (options: Parameters<Create>[0]) => create(() => sdk.worker.Worker.create(options)) };
  const workers = startWorkers({
    sdk: { worker: { ...sdk.worker, Worker: Worker as (typeof sdk)['worker']['Worker'] } },
    connection,
    namespace: server.namespace,
    prefix: 'workers-test',
    host: 'one',
    bundle: await workflowBundle({ sdk, source: workflow, packages, logger }),
    heartbeatMs: 1_000,
    anywhere: { look: async () => null },
    here: { look: async () => null },
    log,
  });
  return { workers, connection };
}

test('ends a worker that is being made again when the workers stop', async () => {
  const made: Made[] = [];
  let isAsked = false;
  const { promise: goOn, resolve: letGoOn } = Promise.withResolvers<void>();
  onTestFinished(() => letGoOn());
  const { workers, connection } = await givenWorkers(async (make) => {
    if (made.length >= 2) {
      isAsked = true;
      await goOn;
    }
    const worker = await make();
    made.push(worker);
    return worker;
  });
  const started = await workers;
  made[0]?.shutdown();
  await until('the worker is made again', () => isAsked);
  const stopped = started.stop();
  letGoOn();
  await stopped;
  expect(made.map((worker) => worker.getState())).toEqual(['STOPPED', 'STOPPED', 'STOPPED']);
  // Rejects while a worker holds the connection.
  await connection.close();
});

test('ends the worker that was made when the other cannot be made', async () => {
  const made: Made[] = [];
  let asked = 0;
  const { workers, connection } = await givenWorkers(async (make) => {
    asked += 1;
    if (asked > 1) throw new Error('no room for another worker');
    made.push(await make());
    return made[0] as Made;
  });
  await expect(workers).rejects.toThrow('no room for another worker');
  expect(made.map((worker) => worker.getState())).toEqual(['STOPPED']);
  await connection.close();
});

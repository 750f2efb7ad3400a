import type { Logger } from 'pino';
import type { Sdk } from './loadSdk.ts';

type Activities = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;
type Worker = import('@temporalio/worker').Worker;

/** The workers of this daemon: one for workflows, which any host may take, and one for what is to be done on this host. */
export interface Workers {
  /** Takes no more work and ends what goes on. */
  stop(): Promise<void>;
}

/** A worker that failed for good starts again after this time: the namespace may be back by then. */
const RESTART_MS = 1_000;
/** Attempts end by themselves when the daemon stops; an attempt that does not is abandoned. */
const GRACE_MS = 1_000;
const FORCE_MS = 5_000;

/** Rejects if the workers cannot start. One that fails later starts again. */
export async function startWorkers(options: {
  sdk: Pick<Sdk, 'worker'>;
  connection: import('@temporalio/worker').NativeConnection;
  namespace: string;
  prefix: string;
  host: string;
  bundle: string;
  heartbeatMs: number;
  /** Activities of `queueOfRuns`, and of this host. */
  anywhere: Activities;
  here: Activities;
  log: Pick<Logger, 'error'>;
}): Promise<Workers> {
  const { sdk, connection, namespace, prefix, host, bundle, heartbeatMs, log } = options;
  const shared = {
    connection,
    namespace,
    shutdownGraceTime: GRACE_MS,
    shutdownForceTime: FORCE_MS,
    maxHeartbeatThrottleInterval: heartbeatMs,
    // An attempt waits as long as an agent works.
    maxConcurrentActivityTaskExecutions: 1_000,
  };
  const running = new Set<Worker>();
  let isStopped = false;

  async function keep(create: () => Promise<Worker>, first: Worker): Promise<void> {
    for (let worker: Worker | undefined = first; !isStopped; worker = undefined) {
      try {
        const current: Worker = worker ?? (await create());
        if (isStopped) return;
        running.add(current);
        await current.run().finally(() => running.delete(current));
      } catch (err) {
        if (isStopped) return;
        log.error({ err }, 'a Temporal worker failed; starting it again');
        await new Promise((resolve) => setTimeout(resolve, RESTART_MS));
      }
    }
  }

  const creates = [
    () =>
      sdk.worker.Worker.create({
        ...shared,
        taskQueue: queueOfRuns(prefix),
        activities: options.anywhere,
        workflowBundle: { codePath: bundle },
        // A workflow of a killed daemon waits this long for it.
        stickyQueueScheduleToStartTimeout: 500,
      }),
    () => sdk.worker.Worker.create({ ...shared, taskQueue: queueOfHost(prefix, host), activities: options.here }),
  ];
  const first = await Promise.all(creates.map((create) => create()));
  const ended = Promise.all(creates.map((create, nth) => keep(create, first[nth] as Worker)));

  return {
    async stop() {
      isStopped = true;
      for (const worker of running) if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}

export const queueOfRuns = (prefix: string) => `${prefix}-runs`;
export const queueOfHost = (prefix: string, host: string) => `${prefix}-host-${host}`;

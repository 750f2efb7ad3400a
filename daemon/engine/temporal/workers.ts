import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Sdk } from './loadSdk.ts';

type Activities = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;
type Worker = import('@temporalio/worker').Worker;

/**
 * The two workers of this daemon. One takes workflows, which any host may take; the other takes the work of this host.
 */
export interface Workers {
  /** Takes no more work and ends what goes on. */
  stop(): Promise<void>;
}

/** A worker that failed for good starts again after this time: the namespace may be back by then. */
const RESTART_MS = 1_000;
/** Attempts end by themselves when the daemon stops; an attempt that does not is abandoned. */
const GRACE_MS = 1_000;
const FORCE_MS = 3_000;

/** Rejects if the workers cannot start. A worker that fails later starts again. */
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
    // An attempt waits as long as an agent works, or a run is queued. One that found no room would say that the host is silent.
    maxConcurrentActivityTaskExecutions: 10_000,
  };
  const running = new Set<Worker>();
  const stopping = new AbortController();
  const { signal } = stopping;

  /** A worker releases its connection only after it has run. So one that was created too late runs for a moment. */
  async function runToEnd(worker: Worker): Promise<void> {
    const ended = worker.run();
    running.add(worker);
    if (signal.aborted) worker.shutdown();
    await ended.finally(() => running.delete(worker));
  }

  async function keep(create: () => Promise<Worker>, first: Worker): Promise<void> {
    for (let worker: Worker | undefined = first; worker || !signal.aborted; worker = undefined) {
      try {
        await runToEnd(worker ?? (await create()));
      } catch (err) {
        if (signal.aborted) return;
        log.error({ err }, 'a Temporal worker failed; starting it again');
        await sleep(RESTART_MS, undefined, { signal }).catch(() => {});
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
  const made = await Promise.allSettled(creates.map((create) => create()));
  const first = made.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = made.find((result) => result.status === 'rejected');
  if (failed) {
    stopping.abort();
    await Promise.all(first.map(runToEnd));
    throw failed.reason;
  }
  const ended = Promise.all(creates.map((create, nth) => keep(create, first[nth] as Worker)));

  return {
    async stop() {
      stopping.abort();
      for (const worker of running) if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}

export const queueOfRuns = (prefix: string) => `${prefix}-runs`;
export const queueOfHost = (prefix: string, host: string) => `${prefix}-host-${host}`;

/** A server that answers may refuse the workers for so long. Then they are started again. */
const START_AGAIN_MS = 1_000;

/** Workers of a server that may not be there yet. */
export interface LaterWorkers {
  /** Starts them unless they run. Resolves when they do, or when they could not; then a later try follows. */
  start(): Promise<void>;
  areRunning(): boolean;
  stop(): Promise<void>;
}

/** `connect` and `start` reject if the server does not answer. `mayStart`: whether it does. */
export function createLaterWorkers<C extends { close(): Promise<void> }>(options: {
  connect(): Promise<C>;
  start(connection: C): Promise<Workers>;
  mayStart(): boolean;
  onStarted(): void;
  log: Pick<Logger, 'warn'>;
}): LaterWorkers {
  const { connect, start, mayStart, onStarted, log } = options;
  let connection: C | undefined;
  let workers: Workers | undefined;
  let starting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function begin(): Promise<void> {
    try {
      connection ??= await connect();
      if (!isStopped) workers = await start(connection);
      if (!isStopped) onStarted();
    } catch (err) {
      log.warn({ err }, 'the Temporal workers could not start; trying again');
      if (!isStopped) timer = setTimeout(() => void later.start(), START_AGAIN_MS);
    } finally {
      starting = undefined;
    }
  }

  const later: LaterWorkers = {
    start() {
      if (isStopped || workers || !mayStart()) return Promise.resolve();
      clearTimeout(timer);
      starting ??= begin();
      return starting;
    },
    areRunning: () => workers !== undefined,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      // The daemon may stop while the workers start.
      await starting;
      await workers?.stop();
      await connection?.close();
    },
  };
  return later;
}

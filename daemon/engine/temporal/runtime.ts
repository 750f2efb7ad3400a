import type { Logger } from 'pino';
import type { Sdk } from './loadSdk.ts';

export type WorkerLogger = import('@temporalio/worker').DefaultLogger;

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

let installed: WorkerLogger | undefined;

/** Sets up the SDK's runtime for this process, once. By default it would take SIGTERM and write to the terminal. */
export function installRuntime(
  { worker }: Pick<Sdk, 'worker'>,
  log: Pick<Logger, 'trace' | 'debug' | 'warn' | 'error'>,
): WorkerLogger {
  if (installed) return installed;
  const logger = new worker.DefaultLogger('WARN', ({ level, message, meta }) =>
    log[LEVELS[level]]({ temporal: meta }, message),
  );
  worker.Runtime.install({
    logger,
    shutdownSignals: [],
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } } },
  });
  installed = logger;
  return logger;
}

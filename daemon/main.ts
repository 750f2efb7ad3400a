import { mkdirSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../schemas/config/configLoad.ts';
import { readSettingsFiles } from '../schemas/config/settingsFiles.ts';
import { toErrorRecord } from '../schemas/errors/errorRecord.ts';
import { DevflowError } from '../schemas/errors.ts';
import { mendHome } from '../schemas/files/home.ts';
import { PASSABLE, resolvePaths } from '../schemas/files/paths.ts';
import { absoluteSearchPath, removeAllocatorSettings } from '../schemas/process/environment.ts';
import { visible } from '../schemas/text/visible.ts';
import { boot } from './boot.ts';
import { createLog } from './log/log.ts';
import { createLifecycle, exitCodeOf } from './startup/lifecycle.ts';
import { oneshot } from './startup/oneshot.ts';
import { armFaults } from './system/faults.ts';
import { onFirstSignal } from './system/onFirstSignal.ts';

/** A daemon that its keeper started again waits no longer for its database: the keeper waits better, and says so. */
const KEPT_PATIENCE_MS = 5_000;

/**
 * The daemon as a program. `--migrate` allows migrations. `--foreground` logs for a person. `--ready-fd N` gets a JSON
 * line `{"ready"}` or `{"error"}`, and before it lines `{"waiting"}`. `--kept` makes the exit code tell its keeper more
 * (`schemas/keeper/keptExit.ts`). `--patience N` limits the wait for the database, in ms. `--take-from` takes over
 * the host of that installation. `oneshot <method> <params>` answers without a daemon. Exit code 3: another daemon leads.
 */
async function main(): Promise<void> {
  removeAllocatorSettings(process.env);
  // The programs that the daemon starts run in other directories.
  if (process.env.PATH !== undefined) process.env.PATH = absoluteSearchPath(process.env.PATH);
  mendHome(process.env);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      migrate: { type: 'boolean', default: false },
      foreground: { type: 'boolean', default: false },
      'ready-fd': { type: 'string' },
      kept: { type: 'boolean', default: false },
      patience: { type: 'string' },
      'take-from': { type: 'string' },
    },
  });
  if (positionals[0] === 'oneshot') {
    process.exitCode = await oneshot(positionals[1] ?? '', positionals[2] ?? '{}');
    return;
  }
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  await serve({
    ...values,
    readyFd: number(values['ready-fd']),
    patience: number(values.patience),
    takeFrom: values['take-from'],
  });
}

async function serve(options: {
  migrate: boolean;
  foreground: boolean;
  kept: boolean;
  readyFd?: number;
  patience?: number;
  takeFrom?: string;
}): Promise<void> {
  const begun = performance.now();
  const paths = resolvePaths(process.env);
  const report = (line: unknown) => {
    try {
      if (options.readyFd !== undefined) writeSync(options.readyFd, `${JSON.stringify(line)}\n`);
    } catch {
      // The parent is gone (Ctrl-C during devflow up). The daemon continues without it.
    }
  };
  try {
    const settings = readSettingsFiles(paths);
    const config = loadConfig(process.env, paths);
    mkdirSync(dirname(paths.logFile), { recursive: true, mode: PASSABLE });
    const root = createLog({ level: config.logLevel, ...(options.foreground ? {} : { file: paths.logFile }) });
    const log = root.child({ module: 'daemon' });
    const lifecycle = createLifecycle(log);
    const end = (why: string, exitCode = 0) => {
      log.info({ why }, 'stopping');
      void lifecycle.end().then(() => {
        log.info('stopped');
        process.exit(exitCode);
      });
    };
    onFirstSignal(['SIGTERM', 'SIGINT'], end);
    try {
      const { socketPath, runs } = await boot({
        config,
        settings,
        paths,
        log: root,
        lifecycle,
        faults: armFaults(process.env.DEVFLOW_FAULT),
        mayMigrate: options.migrate,
        takeFrom: options.takeFrom,
        patience: {
          patienceMs:
            options.patience ?? (options.kept && options.readyFd === undefined ? KEPT_PATIENCE_MS : undefined),
          onWaiting(waiting) {
            log.warn(waiting, 'waiting for the database');
            report({ waiting });
          },
        },
        onStop: () => end('requested'),
        onLost(error) {
          // Another daemon may lead by now, so this one releases nothing.
          log.fatal({ err: error }, 'leadership lost');
          process.exit(exitCodeOf(error, options));
        },
      });
      const ms = Math.round(performance.now() - begun);
      log.info({ pid: process.pid, socket: socketPath, runs, ms }, 'ready');
      report({ ready: true, pid: process.pid, socket: socketPath, ms });
    } catch (error) {
      log.error({ err: error }, 'the daemon cannot start');
      await lifecycle.end();
      throw error;
    }
  } catch (error) {
    report({ error: { ...toErrorRecord(error), data: error instanceof DevflowError ? error.data : {} } });
    if (options.readyFd === undefined) process.stderr.write(`devflow: ${visible(toErrorRecord(error).message)}\n`);
    process.exit(exitCodeOf(error, options));
  }
}

void main();

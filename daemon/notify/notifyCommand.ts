import { spawn } from 'node:child_process';
import type { Logger } from 'pino';
import { visible } from '../../schemas/visible.ts';
import type { Tell } from './notify.ts';
import { withoutSecrets } from './withoutSecrets.ts';

/** A program that has not ended by then is ended: it was to show something, not to wait for an answer. */
const PATIENCE_MS = 30_000;

export interface NotifyCommandOptions {
  /** `notify.command`: a program and its arguments, to which a title and a text are appended; absent for none. */
  command: readonly string[] | undefined;
  log: Pick<Logger, 'warn'>;
  patienceMs?: number;
}

/** Runs the user's program, without a shell. A fault of it is only logged. */
export function notifyByCommand({ command, log, patienceMs = PATIENCE_MS }: NotifyCommandOptions): Tell | undefined {
  const [program, ...args] = command ?? [];
  if (program === undefined) return undefined;
  return ({ title, text }) => {
    const child = spawn(program, [...args, visible(title), visible(text)], {
      stdio: 'ignore',
      timeout: patienceMs,
      killSignal: 'SIGKILL',
      env: withoutSecrets(process.env),
    });
    child.on('error', (err) => log.warn({ err, program }, 'notify.command could not be run'));
    child.on('exit', (code, signal) => {
      if (code !== 0) log.warn({ program, code, signal }, 'notify.command failed');
    });
    // It must not keep a daemon that stops.
    child.unref();
  };
}

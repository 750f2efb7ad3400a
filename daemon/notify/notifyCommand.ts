import { spawn } from 'node:child_process';
import type { Logger } from 'pino';
import { visible } from '../../schemas/text/visible.ts';
import type { Tell } from './notify.ts';
import { withoutSecrets } from './withoutSecrets.ts';

/** Kills a program that runs longer: it should show a notice, not wait for an answer. */
const PATIENCE_MS = 30_000;

export interface NotifyCommandOptions {
  /** `notify.command`: a program and its arguments. devflow appends a title and a text. Absent: off. */
  command: readonly string[] | undefined;
  log: Pick<Logger, 'warn'>;
  patienceMs?: number;
}

/** Runs the user's program without a shell. A failure is only logged. */
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
    child.on('error', (err) => log.warn({ err, program }, 'could not run notify.command'));
    child.on('exit', (code, signal) => {
      if (code !== 0) log.warn({ program, code, signal }, 'notify.command failed');
    });
    // It must not delay a daemon that stops.
    child.unref();
  };
}

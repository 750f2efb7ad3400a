import { spawn } from 'node:child_process';
import type { Logger } from 'pino';
import { visible } from '../../schemas/text/visible.ts';
import type { Tell } from './notify.ts';

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

type Env = Readonly<Record<string, string | undefined>>;

/** Words in variable names that mark a secret. */
const SECRET =
  /(^|_)(TOKEN|TOKENS|SECRET|SECRETS|PASSWORD|PASSWD|PASS|PASSPHRASE|CREDENTIAL|CREDENTIALS|KEY|KEYS|AUTH|COOKIE|DSN)(_|$)/i;
const SECRET_END = /(APIKEY|ACCESSKEY|PRIVATEKEY|TOKEN|SECRET|PASSWORD|DATABASE_URL|_URI)$/i;
/** `scheme://user:password@host`, under any variable name. */
const PASSWORD_IN_URL = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*:[^/@\s]+@/i;

/** The environment for the user's program: without devflow's settings and without likely secrets. */
export function withoutSecrets(env: Env): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => {
    const isOwn = name.startsWith('DEVFLOW_') && name !== 'DEVFLOW_HOME';
    return value !== undefined && !isOwn && !isSecret(name, value);
  });
  return Object.fromEntries(kept) as Record<string, string>;
}

/** `SSH_AUTH_SOCK` and the like name a place, not a secret. */
function isSecret(name: string, value: string): boolean {
  if (/_(SOCK|FILE|DIR|PATH)$/i.test(name)) return false;
  return SECRET.test(name) || SECRET_END.test(name) || PASSWORD_IN_URL.test(value);
}

import { execa } from 'execa';
import { findOnPath } from '../../../schemas/config/backendBinaries.ts';
import type { Env } from '../../../schemas/files/paths.ts';

export interface Ran {
  ok: boolean;
  /** Standard output, trimmed. */
  out: string;
  /** If not ok: its last line on standard error, or how it ended. */
  why: string;
}

const TIMEOUT_MS = 5_000;

/** Runs a program for its output. Undefined if there is none of that name on PATH. Never throws. */
export async function ask(program: string, args: readonly string[], env: Env): Promise<Ran | undefined> {
  const file = program.startsWith('/') ? program : findOnPath(program, env.PATH ?? '');
  if (file === undefined) return undefined;
  const ran = await execa(file, args, {
    env: { ...env, LC_ALL: 'C' },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const last = (ran.stderr ?? '').trim().split('\n').at(-1)?.trim();
  const why = ran.timedOut ? `no answer in ${TIMEOUT_MS / 1000} s` : last || ran.shortMessage || '';
  return { ok: ran.exitCode === 0, out: (ran.stdout ?? '').trim(), why };
}

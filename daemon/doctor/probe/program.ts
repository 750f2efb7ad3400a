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

/** Major and minor: devflow's limits name no more. */
export type Version = readonly [major: number, minor: number];

/** The first number with a dot in it, as in `tmux 3.3a`, `git version 2.39.5` and `v22.1.0`. */
export function readVersion(text: string): Version | undefined {
  const found = /(\d+)\.(\d+)/.exec(text);
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}

export function isBelow([major, minor]: Version, [otherMajor, otherMinor]: Version): boolean {
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

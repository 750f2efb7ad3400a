import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath } from '../../schemas/config/backendBinaries.ts';
import { packageRoot } from '../../schemas/files/paths.ts';

const run = promisify(execFile);

/** On a slow connection what is brought is skipped. */
const LONGEST_MS = 300_000;

export interface Where {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** The output of a program that must succeed. Throws one sentence with its last line. */
export async function output(program: string, args: readonly string[], where: Where = {}): Promise<string> {
  try {
    return (await run(program, args, { ...where, timeout: LONGEST_MS, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stderr, stdout, killed, message } = error as Record<'stderr' | 'stdout' | 'message', string> & {
      killed?: boolean;
    };
    if (killed) throw new Error(`${program} needed more than ${LONGEST_MS / 1000} s`);
    const lines = `${stdout || ''}\n${stderr || message}`.split('\n').filter((line) => /\w/.test(line));
    const said = lines.findLast((line) => /error|cannot|not found|^E:/i.test(line)) ?? lines.at(-1);
    throw new Error(`${program}: ${(said ?? 'it said nothing').trim().slice(0, 200)}`);
  }
}

/** `PATH` as a person has it. npm puts devflow's own programs in front. */
export function personsPath(): string {
  const own = join(packageRoot(), 'node_modules');
  const parts = (process.env.PATH ?? '').split(delimiter);
  return parts.filter((part) => !part.startsWith(own) && !/node_modules|node-gyp-bin/.test(part)).join(delimiter);
}

export const has = (program: string): boolean => findOnPath(program, personsPath()) !== undefined;

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readProc } from '../../../../tmux/process/readProc.ts';

/**
 * True if a capture process, a `split` with this path as last argument, still writes files that begin with it. Without
 * /proc, a file written in the last second counts as a sign of one. A time in the future does not: the clock was set
 * back since.
 */
export function isCaptureRunning(prefix: string): boolean {
  if (!existsSync('/proc/self')) return wasWritten(prefix);
  return readdirSync('/proc').some((entry) => /^\d/.test(entry) && isCaptureProcess(entry, prefix));
}

/**
 * Linux: whether that process captures output. It has its session's environment, but ends after the program.
 */
export function isCaptureProcess(pid: string, prefix: string): boolean {
  const words = readProc(`${pid}/cmdline`).split('\0');
  return basename(words[0] ?? '') === 'split' && words.at(-2)?.startsWith(prefix) === true;
}

function wasWritten(prefix: string): boolean {
  const [directory, start] = prefix.endsWith('/') ? [prefix, ''] : [dirname(prefix), basename(prefix)];
  return readdirSync(directory)
    .filter((name) => name.startsWith(start))
    .some((name) => Math.abs(Date.now() - statSync(join(directory, name)).mtimeMs) < 1000);
}

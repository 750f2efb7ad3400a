import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Whether a sink still runs that writes files beginning with this path: the `split` that has it as its last argument.
 * Where there is no /proc, a file that was written in the last second is taken for a sign of one.
 */
export function isCaptureRunning(prefix: string): boolean {
  if (!existsSync('/proc/self')) return wasWritten(prefix);
  return readdirSync('/proc').some((entry) => /^\d/.test(entry) && isCaptureProcess(entry, prefix));
}

/** Linux: whether that process is such a sink. It has its session's environment, but ends by itself, after the program. */
export function isCaptureProcess(pid: string, prefix: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return basename(words[0] ?? '') === 'split' && words.at(-2)?.startsWith(prefix) === true;
  } catch {
    return false;
  }
}

function wasWritten(prefix: string): boolean {
  const [directory, start] = prefix.endsWith('/') ? [prefix, ''] : [dirname(prefix), basename(prefix)];
  return readdirSync(directory)
    .filter((name) => name.startsWith(start))
    .some((name) => Date.now() - statSync(join(directory, name)).mtimeMs < 1000);
}

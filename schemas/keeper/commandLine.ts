import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The arguments of a process, with blanks between them; empty for a missing one and for a zombie. */
export function commandLineOf(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trimEnd();
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The arguments of a process; empty for a missing one and for a zombie. Without /proc, blanks separate them. */
export function argumentsOf(pid: number): string[] {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' })
      .trim()
      .split(' ');
  } catch {
    return [];
  }
}

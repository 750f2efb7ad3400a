import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The command line of a process, a blank after each argument; empty for a missing process and for a zombie. */
export function argumentsOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const ps = ['-ww', '-o', 'command=', '-p', String(pid)];
    return `${execFileSync('ps', ps, { encoding: 'utf8', stdio: 'pipe' }).trimEnd()} `;
  } catch {
    return '';
  }
}

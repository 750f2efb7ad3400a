import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { statFields } from '../../tmux/process/processes.ts';

/** Measures the processes of a row by /proc and ps, and ends those that the row started. Linux only. */
export interface Process {
  pid: number;
  parent: number;
  command: string;
}

export function listProcesses(): Process[] {
  const text = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** With its children, but not theirs: a Postgres server, or tmux with its sinks. */
export function treeOf(root: number): number[] {
  return [root, ...listProcesses().flatMap(({ pid, parent }) => (parent === root ? [pid] : []))];
}

/** The daemon starts the database server, which is its child while the daemon runs. */
export function postmasterOf(daemon: number): number {
  const server = listProcesses().find(({ parent, command }) => parent === daemon && command.includes('postgres'));
  if (!server) throw new Error(`no database is a child of the daemon ${daemon}`);
  return server.pid;
}

export function pssMegabytes(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => kilobytesOf(`/proc/${pid}/smaps_rollup`, 'Pss'));
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1024;
}

export function residentMegabytes(pid: number): number {
  return kilobytesOf(`/proc/${pid}/status`, 'VmRSS') / 1024;
}

/** The peak since `forgetPeak`. */
export function peakMegabytes(pid: number): number {
  return kilobytesOf(`/proc/${pid}/status`, 'VmHWM') / 1024;
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** How often the main thread of a process woke up. */
export function wakesOf(pid: number): number {
  const [, count] = /^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(count);
}

function kilobytesOf(file: string, name: string): number {
  const [, value] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8')) ?? [];
  return Number(value);
}

/** User and system time of those that still run. */
export function cpuMs(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = statOf(pid);
    return fields ? Number(fields[11]) + Number(fields[12]) : 0;
  });
  // USER_HZ is 100 on every Linux that Node runs on.
  return ticks.reduce((sum, value) => sum + value, 0) * 10;
}

/** The same with all children, also those that ended meanwhile: backends come and go. */
export function treeCpuMs(root: number): number {
  const fields = statOf(root);
  return cpuMs(treeOf(root)) + (fields ? (Number(fields[13]) + Number(fields[14])) * 10 : 0);
}

/** The fields of /proc/<pid>/stat from the state on; undefined if there is no such process. */
function statOf(pid: number): string[] | undefined {
  try {
    return statFields(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

export function isGone(pid: number): boolean {
  const [state] = statOf(pid) ?? ['X'];
  return state === 'Z' || state === 'X';
}

/** The variable that marks everything a row starts. tmux also puts its sockets there. */
export const MARK = 'TMUX_TMPDIR';

/** All processes that were started in that place, with their names. */
export function markedWith(home: string): { pid: number; name: string }[] {
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry);
    if (!(pid > 0) || pid === process.pid) return [];
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      if (!environment.split('\0').includes(`${MARK}=${home}`) || isGone(pid)) return [];
      return [{ pid, name: readFileSync(`/proc/${pid}/comm`, 'utf8').trim() }];
    } catch {
      return [];
    }
  });
}

/** Undefined if none was started. */
export function tmuxServerOf(home: string): number | undefined {
  return markedWith(home).find(({ name }) => name.startsWith('tmux: server'))?.pid;
}

/**
 * Ends everything that was started in that place, by pid: tmux first, which hangs up on the agents, then KILL for the
 * rest.
 */
export async function endMarked(home: string): Promise<void> {
  const server = tmuxServerOf(home);
  if (server !== undefined) send(server, 'SIGTERM');
  for (const signal of [undefined, 'SIGTERM', 'SIGKILL'] as const) {
    const left = markedWith(home);
    if (signal) for (const { pid } of left) send(pid, signal);
    for (let look = 0; look < 30 && markedWith(home).length > 0; look += 1) await sleep(50);
  }
}

export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}

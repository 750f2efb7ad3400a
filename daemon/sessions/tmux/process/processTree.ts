import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { statFields } from '../../../../tmux/process/processes.ts';

/** The CPU time that a process in a pane's tree has used so far, in milliseconds. */
export interface ProcessUse {
  /** Identifies the process, even if its pid is used again. */
  key: string;
  /** The agent itself, with processes that it started at once; not a tool that it uses. */
  isOwn: boolean;
  cpuMs: number;
  /** Of its ended children. */
  endedCpuMs: number;
}

interface Entry {
  pid: number;
  parent: number;
  startedMs: number;
  cpuMs: number;
  endedCpuMs: number;
}

/**
 * A program may launch the real one and helpers. Processes that start this soon after the pane's first process count as
 * the agent itself.
 */
const OWN_START_MS = 2000;
/** Linux reports in these units, whatever the kernel's own ticks are. */
const TICK_MS = 10;

/** The process and its descendants; empty if it is gone. */
export async function readProcessTree(root: number): Promise<ProcessUse[]> {
  const entries = process.platform === 'linux' ? await listLinux() : await listByPs();
  const children = Map.groupBy(entries, ({ parent }) => parent);
  const first = entries.find(({ pid }) => pid === root);
  const tree: Entry[] = first ? [first] : [];
  for (const { pid } of tree) tree.push(...(children.get(pid) ?? []));
  return tree.map(({ pid, startedMs, cpuMs, endedCpuMs }) => ({
    key: process.platform === 'linux' ? `${pid} ${startedMs}` : String(pid),
    cpuMs,
    endedCpuMs,
    isOwn: startedMs - (first?.startedMs ?? 0) <= OWN_START_MS,
  }));
}

async function listLinux(): Promise<Entry[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')));
  return stats.flatMap((stat, nth) => (stat === '' ? [] : [parseStat(Number(pids[nth]), stat)]));
}

/** See proc(5), which counts fields from 1. */
function parseStat(pid: number, stat: string): Entry {
  const fields = statFields(stat);
  const ms = (field: number) => Number(fields[field - 3] ?? 0) * TICK_MS;
  return {
    pid,
    parent: Number(fields[1]),
    startedMs: ms(22),
    cpuMs: ms(14) + ms(15),
    endedCpuMs: ms(16) + ms(17),
  };
}

async function listByPs(): Promise<Entry[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,etime=,time=']);
  const now = Date.now();
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, elapsed, used] = line.trim().split(/\s+/);
    if (used === undefined) return [];
    const [startedMs, cpuMs] = [now - clockMs(elapsed ?? ''), clockMs(used)];
    return [{ pid: Number(pid), parent: Number(parent), startedMs, cpuMs, endedCpuMs: 0 }];
  });
}

/** `[[days-]hours:]minutes:seconds[.hundredths]` */
export function clockMs(text: string): number {
  const [, days = '0', clock = ''] = /^(?:(\d+)-)?([\d:.]+)$/.exec(text) ?? [];
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 1000);
}

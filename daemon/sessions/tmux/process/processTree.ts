import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { orElse } from '../../../../schemas/orElse.ts';
import { statFields } from '../../../../tmux/process/processes.ts';
import { readProc } from '../../../../tmux/process/readProc.ts';

/** The CPU time that a process in a pane's tree has used so far, in milliseconds. */
export interface ProcessUse {
  /** Identifies the process, even if its pid is used again. */
  key: string;
  /** The agent itself, with processes that it started at once; not a tool that it uses. */
  isOwn: boolean;
  cpuMs: number;
  /** The CPU time of its ended children. */
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
/** `ps` may hang on a process that waits for a dead file server. */
const PS_MS = 10_000;
/** Linux reports in these units, whatever the kernel's own ticks are. */
const TICK_MS = 10;

/** The process and its descendants; empty if it is gone. */
export async function readProcessTree(root: number): Promise<ProcessUse[]> {
  const tree = existsSync('/proc/thread-self/children') ? treeByThreads(root) : treeOf(root, await list());
  const [first] = tree;
  return tree.map(({ pid, startedMs, cpuMs, endedCpuMs }) => ({
    key: process.platform === 'linux' ? `${pid} ${startedMs}` : String(pid),
    cpuMs,
    endedCpuMs,
    isOwn: startedMs - (first?.startedMs ?? 0) <= OWN_START_MS,
  }));
}

/**
 * By the list that Linux keeps of each thread's children. Every busy agent is checked once a minute, and there may be
 * many other processes. Synchronous, because the files are in memory: a thread would cost more than the read.
 */
function treeByThreads(root: number): Entry[] {
  const tree: Entry[] = [];
  const pids = [root];
  for (const pid of pids) {
    const stat = readProc(`${pid}/stat`);
    if (stat === '') continue;
    tree.push(parseStat(pid, stat));
    for (const thread of threadsOf(pid)) pids.push(...numbersIn(readProc(`${pid}/task/${thread}/children`)));
  }
  return tree;
}

function threadsOf(pid: number): string[] {
  return orElse(() => readdirSync(`/proc/${pid}/task`), []);
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}

function treeOf(root: number, entries: readonly Entry[]): Entry[] {
  const children = Map.groupBy(entries, ({ parent }) => parent);
  const tree = entries.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

function list(): Entry[] | Promise<Entry[]> {
  return process.platform === 'linux' ? listLinux() : listByPs();
}

function listLinux(): Entry[] {
  return readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? readProc(`${name}/stat`) : '';
    return stat === '' ? [] : [parseStat(Number(name), stat)];
  });
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
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,etime=,time='], { timeout: PS_MS });
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

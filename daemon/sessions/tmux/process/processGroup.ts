import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SESSION_DIRECTORY_VARIABLE } from '../../../../schemas/agentMark.ts';
import { steadyNow } from '../../../../schemas/steadyTime.ts';
import { startTimeOf, statFields } from '../../../../tmux/process/processes.ts';
import { readProc } from '../../../../tmux/process/readProc.ts';
import { isCaptureProcess } from '../output/captureProcess.ts';

interface Member {
  pid: number;
  startTime: string;
}

const GRACE_MS = 1500;
const LOOK_MS = 20;
/** `ps` may hang on a process that waits for a dead file server. */
const PS_MS = 10_000;
/** So many take about two milliseconds. */
const PROCESSES_A_TURN = 64;

/**
 * Ends a session's programs, found by process group and by the mark in their environment: first TERM, then KILL for
 * those that ignore it. Returns the pids that did not end.
 */
export async function endProcesses(
  directory: string | undefined,
  leaders: readonly { pid: number; startTime?: string }[],
): Promise<number[]> {
  const living = leaders.filter(({ pid, startTime }) => startTime !== undefined && startTimeOf(pid) === startTime);
  const groups = new Set(living.map(({ pid }) => pid));
  const first = await membersOf(directory, groups);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const members = signal === 'SIGTERM' ? first : await remaining(directory, groups, first);
    if (members.length === 0) return [];
    const asked = signal === 'SIGTERM' ? programsOf(members, groups) : members;
    for (const { pid } of asked) send(pid, signal);
    await waitForEnd(members);
  }
  return (await remaining(directory, groups, first)).map(({ pid }) => pid);
}

/**
 * Leaves out the leaders, which end after their programs: a dead leader hangs up its terminal, and the last output is
 * lost. A leader without programs is signalled itself.
 */
function programsOf(members: readonly Member[], leaders: ReadonlySet<number>): readonly Member[] {
  const programs = members.filter(({ pid }) => !leaders.has(pid));
  return programs.length > 0 ? programs : members;
}

async function waitForEnd(members: readonly Member[]): Promise<void> {
  const end = steadyNow() + GRACE_MS;
  while (members.some(isAlive) && steadyNow() < end) await pause(LOOK_MS);
}

/** The earlier processes that still run, and any they have started since. */
async function remaining(
  directory: string | undefined,
  groups: ReadonlySet<number>,
  before: readonly Member[],
): Promise<Member[]> {
  const all = [...before.filter(isAlive), ...(await membersOf(directory, groups))];
  return [...new Map(all.map((member) => [member.pid, member])).values()];
}

/** A zombie is dead; its parent has just not collected it. */
function isAlive({ pid, startTime }: Member): boolean {
  if (startTimeOf(pid) !== startTime) return false;
  if (process.platform !== 'linux') return true;
  const [state = ''] = statFields(readProc(`${pid}/stat`));
  return !/^([ZX]|$)/.test(state);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

async function membersOf(directory: string | undefined, groups: ReadonlySet<number>): Promise<Member[]> {
  const pids = process.platform === 'linux' ? await listLinux(directory, groups) : await listByPs(groups);
  return pids.flatMap((pid) => {
    const startTime = pid === process.pid ? undefined : startTimeOf(pid);
    return startTime === undefined ? [] : [{ pid, startTime }];
  });
}

/**
 * The files are in memory, so each is read at once. To read all of them in threads took eight times as long, and some
 * 10 MB that the allocator kept.
 */
async function listLinux(directory: string | undefined, groups: ReadonlySet<number>): Promise<number[]> {
  const found: number[] = [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const [nth, pid] of pids.entries()) {
    if (nth % PROCESSES_A_TURN === 0) await nextTurn();
    if (isMember(pid, directory, groups)) found.push(Number(pid));
  }
  return found;
}

function isMember(pid: string, directory: string | undefined, groups: ReadonlySet<number>): boolean {
  const [state = '', , group, leader] = statFields(readProc(`${pid}/stat`));
  if (/^([ZX]|$)/.test(state)) return false;
  if (groups.has(Number(group)) || groups.has(Number(leader))) return true;
  if (directory === undefined) return false;
  const isMarked = readProc(`${pid}/environ`).split('\0').includes(`${SESSION_DIRECTORY_VARIABLE}=${directory}`);
  // Not the capture process: it still writes the last output.
  return isMarked && !isCaptureProcess(pid, `${directory}/`);
}

async function listByPs(groups: ReadonlySet<number>): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,pgid=,stat='], { timeout: PS_MS });
  return stdout.split('\n').flatMap((line) => {
    const [pid, group, state = ''] = line.trim().split(/\s+/);
    return groups.has(Number(group)) && !state.startsWith('Z') ? [Number(pid)] : [];
  });
}

import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SESSION_DIRECTORY_VARIABLE } from '../../../../schemas/process/agentMark.ts';
import { trySignal } from '../../../../schemas/process/processes.ts';
import { steadyNow } from '../../../../schemas/time/steadyTime.ts';
import { startTimeOf } from '../../../../tmux/process/processes.ts';
import { findProcesses, isRunning, type RunningProcess, variablesOf } from '../../../system/findProcesses.ts';
import { isCaptureProcess } from '../output/captureProcess.ts';
import { isHelper } from './isHelper.ts';
import { laterProcesses, type Session } from './laterProcesses.ts';

interface Member {
  pid: number;
  startTime: string;
}

const GRACE_MS = 1500;
const LOOK_MS = 20;
/** `ps` may hang on a process that waits for a dead file server. */
const PS_MS = 10_000;

/**
 * Ends a session's programs, found by process group and by the mark in their environment. It sends TERM, then KILL to
 * those that ignore it. Returns the pids that did not end.
 */
export async function endProcesses(
  directory: string | undefined,
  leaders: readonly { pid: number; startTime?: string }[],
): Promise<number[]> {
  const living = leaders.filter(({ pid, startTime }) => startTime !== undefined && startTimeOf(pid) === startTime);
  const groups = new Set(living.map(({ pid }) => pid));
  return endMembers(
    () => membersOf(directory, groups),
    (members) => programsOf(members, groups),
  );
}

/**
 * Ends processes of the session that started later than `ownMs` after its program: tools and commands in the
 * background. The program and its helpers continue. Only on a system with /proc.
 */
export async function endLater(session: Session, ownMs: number): Promise<number[]> {
  if (process.platform !== 'linux' || startTimeOf(session.leader) === undefined) return [];
  return endMembers(async () => {
    const late = [...laterProcesses(session, ownMs)];
    const pids = new Set(late.map(({ pid }) => pid));
    return late.filter(({ pid }) => !isHelper(pid, session.leader, pids));
  });
}

/** `askedOf`: those of them that get TERM. */
async function endMembers(
  find: () => Promise<Member[]>,
  askedOf: (members: readonly Member[]) => readonly Member[] = (members) => members,
): Promise<number[]> {
  const first = await find();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const members = signal === 'SIGTERM' ? first : await remaining(find, first);
    if (members.length === 0) return [];
    const asked = signal === 'SIGTERM' ? askedOf(members) : members;
    for (const { pid } of asked) trySignal(pid, signal);
    await waitForEnd(members);
  }
  return (await remaining(find, first)).map(({ pid }) => pid);
}

/**
 * Leaves out the leaders, which end after their programs. A dead leader hangs up its terminal, and the last output is
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
async function remaining(find: () => Promise<Member[]>, before: readonly Member[]): Promise<Member[]> {
  const all = [...before.filter(isAlive), ...(await find())];
  return [...new Map(all.map((member) => [member.pid, member])).values()];
}

/** A zombie is dead; its parent has just not collected it. */
function isAlive(member: Member): boolean {
  return process.platform === 'linux' ? isRunning(member) : startTimeOf(member.pid) === member.startTime;
}

async function membersOf(directory: string | undefined, groups: ReadonlySet<number>): Promise<Member[]> {
  const isOther = (pid: number) => pid !== process.pid;
  if (process.platform === 'linux') {
    return findProcesses((each) => isOther(each.pid) && isMember(each, directory, groups));
  }
  return (await listByPs(groups)).filter(isOther).flatMap((pid) => {
    const startTime = startTimeOf(pid);
    return startTime === undefined ? [] : [{ pid, startTime }];
  });
}

function isMember(
  { pid, group, session }: RunningProcess,
  directory: string | undefined,
  groups: ReadonlySet<number>,
): boolean {
  if (groups.has(group) || groups.has(session)) return true;
  if (directory === undefined || !variablesOf(pid, SESSION_DIRECTORY_VARIABLE).includes(directory)) return false;
  // Not the capture process: it still writes the last output.
  return !isCaptureProcess(String(pid), `${directory}/`);
}

async function listByPs(groups: ReadonlySet<number>): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,pgid=,stat='], { timeout: PS_MS });
  return stdout.split('\n').flatMap((line) => {
    const [pid, group, state = ''] = line.trim().split(/\s+/);
    return groups.has(Number(group)) && !state.startsWith('Z') ? [Number(pid)] : [];
  });
}

import { basename } from 'node:path';
import { AGENT_VARIABLE, COMMAND_VARIABLE, SESSION_DIRECTORY_VARIABLE } from '../../schemas/process/agentMark.ts';
import { pidExists } from '../../schemas/process/processes.ts';
import { parentOf, startTimeOf, statFields } from '../../tmux/process/processes.ts';
import { tryReadProc } from '../../tmux/process/readProc.ts';
import { valuesOf } from '../system/findProcesses.ts';
import type { ProcessChain, ProcessFacts } from './agentBehind.ts';

const LONGEST = 128;
const NO_MARKS: Pick<ProcessFacts, 'marks' | 'commands'> = { marks: [], commands: [] };
/** A parent may end between two reads. Then the next read finds its successor. */
const ATTEMPTS = 3;

/** `hidden`: another user's process, of which the system shows nothing. */
export type ReadProcess = (pid: number) => ProcessFacts | 'gone' | 'hidden' | 'failed';

/** The process and its ancestors. */
export function readChain(pid: number, read: ReadProcess = readProcess): ProcessChain {
  for (let attempt = 1; ; attempt += 1) {
    const chain = readOnce(pid, read);
    if (chain.lost === undefined || attempt === ATTEMPTS) return chain;
  }
}

function readOnce(pid: number, read: ReadProcess): ProcessChain {
  const processes: ProcessFacts[] = [];
  for (let next = pid; next > 1; ) {
    const facts = processes.length < LONGEST ? read(next) : 'failed';
    // A caller is never hidden: the daemon's socket is open to its own user and to root.
    if (facts === 'hidden' && processes.length > 0) break;
    if (typeof facts === 'string') return { processes, lost: next };
    processes.push(facts);
    next = facts.parent;
  }
  return isStill(processes[0], read) ? { processes } : { processes, lost: pid };
}

/** Another process may have got the pid meanwhile. */
function isStill(caller: ProcessFacts | undefined, read: ReadProcess): boolean {
  if (caller === undefined) return false;
  const now = read(caller.pid);
  return typeof now !== 'string' && now.startTime === caller.startTime;
}

/** The facts of proc(5); without /proc, only its parent. */
export const readProcess: ReadProcess = (pid) => {
  if (process.platform !== 'linux') return readByPs(pid);
  const stat = tryReadProc(`${pid}/stat`);
  if ('fault' in stat) return stat.fault === 'failed' ? 'failed' : pidExists(pid) ? 'hidden' : 'gone';
  const fields = statFields(stat.text);
  const [state = 'X', parent, , leader, terminal] = fields;
  return {
    pid,
    parent: Number(parent),
    leader: Number(leader),
    terminal: Number(terminal),
    startTime: fields[19] ?? '',
    hasEnded: /^[ZX]$/.test(state),
    ...environmentOf(pid),
  };
};

function environmentOf(pid: number): Pick<ProcessFacts, 'environment' | 'marks' | 'commands'> {
  const read = tryReadProc(`${pid}/environ`);
  if ('fault' in read) return { environment: read.fault === 'denied' ? 'denied' : 'failed', ...NO_MARKS };
  return { environment: read.text.includes('=') ? 'read' : 'empty', ...marksOf(read.text) };
}

function readByPs(pid: number): ReturnType<ReadProcess> {
  const parent = parentOf(pid);
  if (parent === undefined) return pidExists(pid) ? 'failed' : 'gone';
  const startTime = startTimeOf(pid) ?? '';
  return { pid, parent, leader: 0, terminal: 0, startTime, hasEnded: false, environment: 'read', ...NO_MARKS };
}

/** Agents of an earlier devflow have only the session's directory, which ends in the session's id. */
function marksOf(environment: string): typeof NO_MARKS {
  const directories = valuesOf(environment, SESSION_DIRECTORY_VARIABLE);
  const marks = [...valuesOf(environment, AGENT_VARIABLE), ...directories.map((path) => basename(path))];
  return { marks, commands: valuesOf(environment, COMMAND_VARIABLE) };
}

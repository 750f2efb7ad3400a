import { basename } from 'node:path';
import { AGENT_VARIABLE, SESSION_DIRECTORY_VARIABLE } from '../../schemas/agentMark.ts';
import { parentOf, statFields } from '../../tmux/process/processes.ts';
import { readProc } from '../../tmux/process/readProc.ts';
import type { ProcessFacts } from './agentBehind.ts';

const LONGEST = 128;

/** The process and its ancestors; empty if it has ended. */
export function readChain(pid: number): ProcessFacts[] {
  const chain: ProcessFacts[] = [];
  for (let next = pid; next > 1 && chain.length < LONGEST; ) {
    const facts = readProcess(next);
    if (facts === undefined) break;
    chain.push(facts);
    next = facts.parent;
  }
  return chain;
}

/** The facts of proc(5); without /proc, only its parent. */
export function readProcess(pid: number): ProcessFacts | undefined {
  if (process.platform !== 'linux') {
    const parent = parentOf(pid);
    return parent === undefined ? undefined : { pid, parent, leader: 0, terminal: 0, marks: [] };
  }
  const [, parent, , leader, terminal] = statFields(readProc(`${pid}/stat`));
  if (parent === undefined) return undefined;
  const marks = marksOf(readProc(`${pid}/environ`));
  return { pid, parent: Number(parent), leader: Number(leader), terminal: Number(terminal), marks };
}

/** Agents of an earlier devflow have only the session's directory, which ends in the session's id. */
function marksOf(environment: string): string[] {
  return environment.split('\0').flatMap((line) => {
    const [name = '', value = ''] = line.split('=', 2);
    if (name === AGENT_VARIABLE) return [value];
    return name === SESSION_DIRECTORY_VARIABLE ? [basename(value)] : [];
  });
}

import { readdirSync } from 'node:fs';
import { parentOf } from './processes.ts';
import { readProc } from './readProc.ts';

/** The pids of a process: here, and in each namespace that it is in, the innermost last. Empty without /proc. */
function pidsOf(pid: number): number[] {
  const line = /^NSpid:\s*(.*)$/m.exec(readProc(`${pid}/status`))?.[1] ?? '';
  return [...line.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}

/** True if the process is the first one of a namespace. It only collects processes whose parent has ended. */
export function isFirstInside(pid: number): boolean {
  const pids = pidsOf(pid);
  return pids.length > 1 && pids.at(-1) === 1;
}

/** The process that programs below `leader` call `pid` in a namespace of their own; undefined if there is none. */
export function processCalled(pid: number, leader: number): number | undefined {
  return pidsHere().find((each) => {
    const pids = pidsOf(each);
    return pids.length > 1 && pids.at(-1) === pid && isBelow(each, leader);
  });
}

/** True for the process and its descendants. */
export function isBelow(pid: number, leader: number): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = parentOf(at)) if (at === leader) return true;
  return false;
}

function pidsHere(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

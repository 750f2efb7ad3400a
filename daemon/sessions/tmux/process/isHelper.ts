import { readdirSync, readlinkSync } from 'node:fs';
import { orElse } from '../../../../schemas/orElse.ts';
import { isBelow, isFirstInside } from '../../../../tmux/process/namespaces.ts';
import { parentOf } from '../../../../tmux/process/processes.ts';

/**
 * True if a late process may be a helper of its program, such as a server of its tools. The program or one of its helpers
 * started it and holds the pipe from which it reads. A leftover of a tool reads from no pipe, or its parent has ended. In a
 * sandbox it then belongs to the first process there. `late`: all processes that started late. Only on a system with /proc.
 */
export function isHelper(pid: number, leader: number, late: ReadonlySet<number>): boolean {
  const parent = parentOf(pid);
  const input = linkOf(`${pid}/fd/0`);
  if (parent === undefined || input === undefined || isFirstInside(parent)) return false;
  const isOfProgram = !late.has(parent);
  if (isOfProgram ? !isBelow(parent, leader) : !isHelper(parent, leader, late)) return false;
  // Node's pipes are sockets, of which each side has a name of its own.
  if (input.startsWith('socket:') && isOfProgram) return true;
  return /^(?:pipe|socket):/.test(input) && isHeldBy(parent, input);
}

function isHeldBy(pid: number, file: string): boolean {
  const opened = orElse(() => readdirSync(`/proc/${pid}/fd`), []);
  return opened.some((name) => linkOf(`${pid}/fd/${name}`) === file);
}

function linkOf(path: string): string | undefined {
  return orElse(() => readlinkSync(`/proc/${path}`));
}

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * The start time of a running process, to compare with another start time of this function. Undefined when it does not
 * run (a zombie does not). A pid alone does not suffice: the system gives it to another process later.
 */
export async function readStartTime(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // The name in parentheses may hold anything. So fields count from its end: state is 3, start time is 22.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  }
  const env = { ...process.env, LC_ALL: 'C' };
  const found = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env }).catch(
    () => undefined,
  );
  const match = /^\s*(\S+)\s+(.*\S)\s*$/.exec(found?.stdout ?? '');
  return match === null || match[1]?.startsWith('Z') ? undefined : match[2]?.replace(/\s+/g, ' ');
}

/** Signals a whole process group; false when it has no member left. */
export function signalGroup(groupId: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch {
    return false;
  }
}

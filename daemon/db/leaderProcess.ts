import { readFileSync, readlinkSync } from 'node:fs';
import { sha256hex } from '../../schemas/hash.ts';
import { isAlive } from '../../schemas/process/processes.ts';
import { startTimeOf } from '../../tmux/process/processes.ts';

/** The process of a daemon, as the name of its leader's session tells the database server. */
export interface LeaderProcess {
  pid: number;
  /** A hash of the host's id. */
  host: string;
  /** Identifies this boot of the machine; empty if the system does not say. */
  boot: string;
  /** Pids hold only inside it: containers have their own. */
  namespace: string;
  /** Another process that gets the pid later has another start. */
  start: string;
}

const NAME = /^devflow leader ([0-9a-f]{8}) ([0-9a-f]{8})? (\d+) (\d+) ([0-9a-f]{8})?$/;

/** Postgres keeps 63 bytes of it, so the facts are hashes of 8 digits. */
export function sessionNameOf({ host, boot, namespace, pid, start }: LeaderProcess): string {
  return `devflow leader ${host} ${boot} ${namespace} ${pid} ${start}`;
}

/** Undefined for a session of an older devflow, and for one that this role may not look at. */
export function readSessionName(name: string | null): LeaderProcess | undefined {
  const [found, host = '', boot = '', namespace = '', pid, start = ''] = NAME.exec(name ?? '') ?? [];
  return found === undefined ? undefined : { host, boot, namespace, pid: Number(pid), start };
}

/** A process of this machine as the leader of a host. */
export function leaderProcess(hostId: string, pid = process.pid): LeaderProcess {
  return { host: shortHash(hostId), ...thisBoot(), pid, start: startOf(pid) };
}

/** `unknown`: it belongs to another machine or container. */
export type Fate = 'runs' | 'gone' | 'unknown';

/** The fate of that process. `isThisMachine`: it ran on a machine with our name and host id. */
export function fateOf({ boot, namespace, pid, start }: LeaderProcess, isThisMachine: boolean): Fate {
  const here = thisBoot();
  if (boot !== here.boot && boot !== '' && here.boot !== '') return isThisMachine ? 'gone' : 'unknown';
  if (boot === '' || namespace !== here.namespace) return 'unknown';
  return isAlive(pid) && startOf(pid) === start ? 'runs' : 'gone';
}

/** Without /proc nothing tells two boots of a machine apart. */
function thisBoot(): Pick<LeaderProcess, 'boot' | 'namespace'> {
  try {
    const boot = shortHash(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
    return { boot, namespace: /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0' };
  } catch {
    return { boot: '', namespace: '0' };
  }
}

function startOf(pid: number): string {
  const start = startTimeOf(pid);
  return start === undefined ? '' : shortHash(start);
}

export function shortHash(text: string): string {
  return sha256hex(text).slice(0, 8);
}

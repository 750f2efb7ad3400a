import { hostname } from 'node:os';
import { DevflowError } from '../../schemas/errors.ts';
import { commandOf, isStopped, pidExists, processState } from '../../schemas/process/processes.ts';
import type { Holder, HolderLease } from './lockHolders.ts';

/** `daemon_running`, with what the holders of the lock are: one that blocks for good before one whose process is gone. */
export function heldError(holders: readonly Holder[], ttlMs: number): DevflowError {
  const holder = holders.find(({ fate }) => fate !== 'gone') ?? holders[0];
  if (holder?.lease === undefined)
    return new DevflowError('daemon_running', 'Another devflow daemon is starting on this database.');
  const { pid, machine, version, takenAt, silentMs } = holder.lease;
  const who = `Another devflow daemon (pid ${pid} on ${machine}, version ${version ?? 'unknown'}) has led this database since ${takenAt}`;
  const data = { pid, host: machine, version, since: takenAt, silentMs };
  if (silentMs <= ttlMs) return new DevflowError('daemon_running', `${who}.`, { data });
  const [what, recoveryHint] = whatItIs({ ...holder, lease: holder.lease });
  const silence = `has not renewed its lease for ${Math.round(silentMs / 1000)} s: ${what}`;
  return new DevflowError('daemon_running', `${who}, but ${silence}.`, { data, recoveryHint });
}

/** The known facts of a silent holder, and the next step. It names a process to end only after it has looked at it. */
function whatItIs(holder: Holder & { lease: HolderLease }): [what: string, hint: string] {
  const { backend, lease, fate, isNamed } = holder;
  const { pid, machine } = lease;
  const atOnce = `To end that session at once, run on the database: SELECT pg_terminate_backend(${backend}).`;
  const endIt = `kill -KILL ${pid}, then devflow up; no acknowledged work is lost.`;
  if (fate === 'gone') {
    return [
      'its process is gone, but the database still has its session',
      `Run devflow up again: the database ends the session about 15 s after the last sign of life. ${atOnce}`,
    ];
  }
  if (fate === 'runs') {
    return isStopped(pid)
      ? [`it is stopped (state ${processState(pid)})`, `Continue it: kill -CONT ${pid}. Or end it: ${endIt}`]
      : ['it runs, but hangs', `Read its log. If it stays silent, end it: ${endIt}`];
  }
  if (!isNamed && machine === hostname() && pidExists(pid)) {
    const command = commandOf(pid) ?? 'not known';
    return [
      `the command of pid ${pid} is now: ${command}`,
      `If that is the daemon, continue it (kill -CONT ${pid}) or end it (kill -KILL ${pid}). Leave another program alone. ${atOnce}`,
    ];
  }
  return [
    'it is stopped, or it hangs, or its machine is away',
    `Look at it on ${machine}. If that machine is off, run devflow up again: the database ends the session after about 15 s. ${atOnce}`,
  ];
}

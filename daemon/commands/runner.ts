import { randomBytes } from 'node:crypto';
import { closeSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { defined } from '../../schemas/defined.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { openToAppend } from '../../schemas/files/openRegular.ts';
import { COMMAND_VARIABLE } from '../../schemas/process/agentMark.ts';
import { BLOCKED_BY_POLICY } from '../../schemas/states/command.ts';
import { LONGEST_TIMER_MS, passedSince } from '../../schemas/time/steadyTime.ts';
import { checkPolicy } from '../policy/policy.ts';
import { type CommandFiles, commandFiles, readPid, readStop, type StopReason, writeWhole } from './commandFiles.ts';
import { type Ended, isRunning, readEnd, waitForEnd } from './commandWait.ts';
import { commandEnvironment, spawnWrapper } from './commandWrapper.ts';
import { endMarked } from './endMarked.ts';
import { groupOf } from './groupOf.ts';
import { capOutput } from './outputCap.ts';
import { readStartTime, signalGroup } from './processIdentity.ts';

type Variables = Readonly<Record<string, string>>;

export interface CommandInput {
  /** Derived from the run's state, so that a restarted daemon finds the same command. Also the name of its files. */
  commandId: string;
  argv: readonly string[];
  /**
   * Words of devflow's own before `argv`, which confine it. The policy does not judge them. A function is called right before
   * each start, after `prepare`. Its words start with `outside`, where nothing is that settings or agents name, and give
   * the command `inside`.
   */
  within?: readonly string[] | ((inside: Variables, outside: Variables) => Promise<readonly string[]>);
  /** True for the set-up of a worktree: the policy then lets it write `.env` files below `cwd`. */
  makesEnvFiles?: boolean;
  cwd: string;
  /** The directory of `<commandId>.out`, `.err` and `.exit`. */
  dir: string;
  /** Added to PATH, HOME, LANG, TERM=dumb, CI=1, proxies and devflow's mark. The command inherits nothing else. */
  env?: Record<string, string>;
  /** Done before each start of the command, also when one that vanished runs again; not for one that is adopted. */
  prepare?(): Promise<void>;
  /** A directory that is made anew, empty, before the command starts. */
  fresh?: string;
  /** The variable for a directory below `fresh` with a name that is new each time. `secretDirectory` returns its path. */
  secret?: string;
  /** Milliseconds from `startedAt` on the wall clock, however often the daemon restarts. */
  timeoutMs: number;
  startedAt: Date;
  /**
   * Ends the command: TERM to its group, then KILL, then the same for everything else that it started. After an abort
   * with a shutting_down error, devflow only stops waiting, and the promise rejects with that error. The command keeps
   * running for the next daemon to adopt.
   */
  signal?: AbortSignal;
  /** Milliseconds between TERM and KILL. Default: 5000. */
  graceMs?: number;
  /** Bytes to keep of each stream; the rest is cut. Default: 64 MB. */
  outputLimit?: number;
}

export interface CommandResult {
  /** Null if a signal ended it. 127: there is no such program. */
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  /** The policy's reason to block it. */
  blocked?: string;
  aborted: boolean;
  startedAt: Date;
  endedAt: Date;
  stdoutPath: string;
  stderrPath: string;
}

/**
 * Runs a command. If an earlier daemon started it, adopts it, or returns its result if it has ended. A command that died
 * without a status (a power failure) runs again. A command that the policy blocks does not start. Resolves for every end of
 * the command. Throws command_failed if it cannot start, or shutting_down.
 */
export async function startOrAdopt(input: CommandInput): Promise<CommandResult> {
  await mkdir(input.dir, { recursive: true, mode: 0o700 });
  const files = commandFiles(input.dir, input.commandId);
  // Look only once: if a command ended between two looks, it would run again.
  const found = await readEnd(files);
  if (found !== undefined && (await isOver(found, files))) return resultOf(input, files, found);

  const deadline = input.timeoutMs - passedSince(input.startedAt.getTime());
  if (found !== undefined) {
    const { allowed, reason } = checkPolicy(input.argv, defined({ makesEnvFiles: input.makesEnvFiles }));
    if (!allowed) return blocked(input, files, reason);
    if (deadline <= 0) return tooLate(input, files);
    await start(input, files);
  }
  const stopping = new AbortController();
  const timer = setTimeout(() => stopping.abort('timeout'), Math.max(0, Math.min(deadline, LONGEST_TIMER_MS)));
  const abort = () => stopping.abort(isShutdown(input.signal) ? 'detach' : 'abort');
  if (input.signal?.aborted) abort();
  input.signal?.addEventListener('abort', abort);
  try {
    const end = await waitForEnd(input.dir, files, stopping.signal, input.outputLimit);
    if (end) return resultOf(input, files, end);
    if (stopping.signal.reason === 'detach') throw input.signal?.reason;
    return resultOf(input, files, await stop(input, files, stopping.signal.reason));
  } finally {
    clearTimeout(timer);
    input.signal?.removeEventListener('abort', abort);
  }
}

/** True for a command that has a status, or was being stopped when the daemon died. */
async function isOver(end: Ended, files: CommandFiles): Promise<boolean> {
  return end !== 'vanished' || (await readStop(files)) !== undefined;
}

/** It timed out while no daemon was running. */
async function tooLate(input: CommandInput, files: CommandFiles): Promise<CommandResult> {
  await writeWhole(files.stop, 'timeout' satisfies StopReason);
  return resultOf(input, files, 'vanished');
}

/** Runs nothing, and writes the reason to the output files. */
async function blocked(
  { startedAt }: CommandInput,
  { out, err }: CommandFiles,
  reason: string,
): Promise<CommandResult> {
  await writeWhole(out, '');
  await writeWhole(err, `devflow: blocked by policy: ${reason}.\n`);
  const outcome = { exitCode: null, signal: null, timedOut: false, aborted: false, blocked: reason };
  return { ...outcome, startedAt, endedAt: new Date(), stdoutPath: out, stderrPath: err };
}

async function start(input: CommandInput, files: CommandFiles): Promise<void> {
  await killLeftovers(files);
  await rm(files.pid, { force: true });
  await input.prepare?.();
  const made = input.fresh === undefined ? {} : await makeFresh(input.fresh, input.secret, files);
  const mark = { [COMMAND_VARIABLE]: files.base };
  const inside = { ...commandEnvironment({ ...input.env, ...made }), ...mark };
  const outside = { ...commandEnvironment(), ...mark };
  const { within } = input;
  const isEnclosed = typeof within === 'function';
  const words = isEnclosed ? await within(inside, outside) : (within ?? []);
  const argv = [...words, ...input.argv];
  const env = isEnclosed ? outside : inside;
  const child = await spawnWrapper(files, { argv, cwd: input.cwd, env }).catch((cause) => {
    throw new DevflowError('command_failed', `devflow could not start "${input.argv[0]}" in ${input.cwd}.`, { cause });
  });
  await claimed(files, child);
}

/** Returns the variable of the secret directory, if the command gets one. */
async function makeFresh(
  fresh: string,
  secret: string | undefined,
  files: CommandFiles,
): Promise<Record<string, string>> {
  await rm(fresh, { recursive: true, force: true });
  const path = secret === undefined ? fresh : join(fresh, randomBytes(16).toString('hex'));
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (secret === undefined) return {};
  await writeWhole(files.secret, path);
  return { [secret]: path };
}

/** Waits for the pid file. Without it, the command would look as if it had vanished. */
async function claimed(files: CommandFiles, child: Awaited<ReturnType<typeof spawnWrapper>>): Promise<void> {
  const gone = () => child.exitCode !== null || child.signalCode !== null;
  while ((await readPid(files)) === undefined && !gone()) await new Promise((resolve) => setTimeout(resolve, 2));
}

async function stop(input: CommandInput, files: CommandFiles, reason: StopReason): Promise<Ended> {
  await writeWhole(files.stop, reason);
  const recorded = await readPid(files);
  const group = recorded?.pid;
  // A command that has just ended has no group, and another process may have its pid.
  if (group !== undefined && (await isRunning(files))) signalGroup(group, 'SIGTERM');
  const grace = AbortSignal.timeout(input.graceMs ?? 5000);
  let end = await waitForEnd(input.dir, files, grace, input.outputLimit);
  if (!end && group !== undefined && (await isRunning(files))) signalGroup(group, 'SIGKILL');
  end ??= await waitForEnd(input.dir, files, new AbortController().signal);
  if (recorded) await endAll(files, recorded);
  return end ?? 'vanished';
}

async function resultOf(input: CommandInput, files: CommandFiles, end: Ended): Promise<CommandResult> {
  const reason = await readStop(files);
  if (end === 'vanished') await recordKilled(files);
  for (const path of [files.out, files.err]) await capOutput(path, input.outputLimit);
  const status = end === 'vanished' ? 137 : end.status;
  const signal = signalOf(status);
  return {
    exitCode: signal === null ? status : null,
    signal,
    timedOut: reason === 'timeout',
    aborted: reason === 'abort',
    startedAt: input.startedAt,
    endedAt: end === 'vanished' ? new Date() : end.endedAt,
    stdoutPath: files.out,
    stderrPath: files.err,
  };
}

/** Ends processes that outlived their wrapper, also those in a group or session of their own. */
async function killLeftovers(files: CommandFiles): Promise<void> {
  const recorded = await readPid(files);
  if (recorded && (await readStartTime(recorded.pid)) !== recorded.started) await endAll(files, recorded);
}

/**
 * Ends what an ended command left, also processes that ignore TERM. The wrapper itself may need a moment after it wrote the
 * status. It has nothing more to do, so it ends with them. `below`: a directory in which only this command
 * and persons work.
 */
export async function endLeftovers(dir: string, commandId: string, below?: string): Promise<void> {
  const files = commandFiles(dir, commandId);
  const recorded = await readPid(files);
  if (recorded) await endAll(files, recorded, below);
}

/** If its group is gone, only the mark says what belongs to the command. */
async function endAll(files: CommandFiles, recorded: { pid: number; started: string }, below?: string) {
  const leader = await groupOf(files, recorded);
  if (leader !== undefined) signalGroup(leader, 'SIGKILL');
  await endMarked({
    isMark: (mark) => mark === files.base,
    leader,
    below: below === undefined ? undefined : { directory: below, since: recorded.started },
  });
}

/** Writes the files that the wrapper could not write, and ends its group. */
async function recordKilled(files: CommandFiles): Promise<void> {
  await killLeftovers(files);
  for (const path of [files.out, files.err]) closeSync(openToAppend(path));
  await writeWhole(files.exit, '137\n');
}

/** A shell reports a signal as 128 + its number. A program that exits with such a status looks the same. */
function signalOf(status: number): string | null {
  return Object.entries(constants.signals).find(([, number]) => number === status - 128)?.[0] ?? null;
}

function isShutdown(signal: AbortSignal | undefined): boolean {
  return signal?.reason instanceof DevflowError && signal.reason.code === 'shutting_down';
}

/** The end of a command in a few words. */
export function howEnded({ blocked, timedOut, signal, exitCode }: CommandResult, timeoutMs: number): string {
  if (blocked !== undefined) return `${BLOCKED_BY_POLICY}${blocked}`;
  if (timedOut) return `timed out after ${timeoutMs} ms`;
  return signal ? `ended by ${signal}` : `exit ${exitCode}`;
}

import { defined } from '../../schemas/defined.ts';
import { hash } from '../../schemas/hash.ts';
import { expandWords, worktreeEnvironment } from '../../schemas/repository/variables.ts';
import type { WorktreeSetup } from '../../schemas/repository/worktreeSetup.ts';
import { forgetCommand } from '../commands/commandFiles.ts';
import { type CommandInput, type CommandResult, endLeftovers, howEnded, startOrAdopt } from '../commands/runner.ts';
import { excludeVariables } from '../repository/privateGit/ownExcludes.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { keepPorts } from './choosePorts.ts';
import { type FinishedSetup, finishSetup } from './finishSetup.ts';
import { commandsLeft, inputsHash } from './inputs.ts';
import { type Placed, type PlaceFiles, placeFiles } from './placeFiles.ts';
import { keepSetupState, readSetupState } from './setupState.ts';
import { rememberBefore } from './worktreeBefore.ts';

export interface SetUpDirectly extends Pick<PlaceFiles, 'privateGit' | 'signal' | 'onProgress'> {
  setup: WorktreeSetup;
  /** The directory of the output files. */
  dir: string;
  /**
   * Derived from what asks for it, and part of the ids of commands. The same id finds what it did before: a command that failed
   * does not run again.
   */
  id: string;
  /** Added to the variables of the set-up, and stronger. */
  env?: Record<string, string>;
  /** Milliseconds for each command. */
  timeoutMs: number;
  /** As of `CommandInput`. */
  within?: CommandInput['within'];
  /** Ports of other worktrees. */
  takenPorts?: Iterable<number>;
  now(): Date;
}

export interface SetupEnd extends Placed, FinishedSetup {
  ok: boolean;
  /** Of the command that failed. */
  reason?: string;
  failed?: { argv: readonly string[]; result: CommandResult };
  /** True if the worktree was set up for these inputs before. Then nothing was done, and this is what that set-up did. */
  already: boolean;
  /** For the commands that use the worktree. */
  env: Record<string, string>;
}

/**
 * Sets up a worktree at once, for a performer that needs one. It never does the same set-up twice for the same inputs. After a
 * restart it adopts commands that still run. Rejects with the signal's reason, and if the machine fails; a call after that does
 * the rest.
 */
export async function setUpDirectly(input: SetUpDirectly): Promise<SetupEnd> {
  const { privateGit, setup, signal, onProgress } = input;
  const inputs = hash([setup, await inputsHash(privateGit.path, setup.again)]);
  const id = `${input.id}-${inputs.slice(0, 16)}`;
  const variables = { ...(await setupVariables(privateGit, setup, input.takenPorts)), ...input.env };
  const env = worktreeEnvironment(setup.env, variables);
  const { done, placed: there, finished: known } = await readSetupState(privateGit);
  if (done === inputs) {
    const { changed = [], excluded = [] } = known ?? {};
    return { ok: true, already: true, placed: there, refused: [], changed, excluded, env };
  }
  // Its commands change what an earlier set-up made, also if they fail or are stopped.
  await keepSetupState(privateGit, { done: null });
  const placed = await placeFiles({ privateGit, setup, ...defined({ signal, onProgress }) });
  await rememberBefore(privateGit, id);
  const commands = await commandsLeft(privateGit, placed.placed, setup.commands);
  const failed = await runCommands({ ...input, id, env }, commands);
  const finished = await finishSetup({ privateGit, id });
  if (!failed) await keepSetupState(privateGit, { done: inputs });
  const reason = failed && howEnded(failed.result, input.timeoutMs);
  return { ok: !failed, ...defined({ reason, failed }), already: false, ...placed, ...finished, env };
}

/** The variables of everything that runs in a worktree with this set-up. Its ports stay the same. */
export async function setupVariables(
  privateGit: PrivateGit,
  { env, ports: names }: Pick<WorktreeSetup, 'env' | 'ports'>,
  takenPorts?: Iterable<number>,
): Promise<Record<string, string>> {
  const ports = Object.entries(await keepPorts(privateGit, names, takenPorts));
  const numbers = Object.fromEntries(ports.map(([name, port]) => [name, String(port)]));
  return { ...env, ...numbers, ...(await excludeVariables(privateGit, env)) };
}

/** Returns the first that fails. After a shutdown a command goes on, so nothing of it ends here. */
async function runCommands(
  { privateGit, dir, id, env, timeoutMs, signal, now, within }: SetUpDirectly,
  commands: readonly string[][],
): Promise<SetupEnd['failed']> {
  const ids = commands.map((_, index) => `${id}-${index}`);
  for (const each of Object.keys((await readSetupState(privateGit)).started)) {
    if (ids.includes(each)) continue;
    await endLeftovers(dir, each);
    // If that set-up comes back, the worktree is another one.
    await forgetSetupCommand(privateGit, dir, each);
  }
  let failed: SetupEnd['failed'];
  for (const [index, argv] of commands.entries()) {
    const commandId = ids[index] as string;
    const run = async () => {
      const startedAt = await beganAt(privateGit, commandId, now);
      const command = { commandId, argv: expandWords(argv, env), cwd: privateGit.path, dir, timeoutMs, startedAt };
      return startOrAdopt({ ...command, makesEnvFiles: true, ...defined({ env, signal, within }) });
    };
    let result = await run();
    if (result.aborted) {
      await forgetSetupCommand(privateGit, dir, commandId);
      signal?.throwIfAborted();
      // An earlier call was aborted.
      result = await run();
    }
    if (result.exitCode !== 0) failed = { argv, result };
    if (failed) break;
  }
  // A server of a good set-up stays until the teardown.
  if (failed) for (const each of ids) await endLeftovers(dir, each);
  return failed;
}

/** The time limit counts from here, however often devflow restarts. */
async function beganAt(privateGit: PrivateGit, commandId: string, now: () => Date): Promise<Date> {
  const { started } = await readSetupState(privateGit);
  const known = started[commandId];
  if (known !== undefined) return new Date(known);
  const at = now();
  await keepSetupState(privateGit, { started: { ...started, [commandId]: at.toISOString() } });
  return at;
}

/** It runs again when it is asked for again, with its whole time. */
export async function forgetSetupCommand(privateGit: PrivateGit, dir: string, commandId: string): Promise<void> {
  forgetCommand(dir, commandId);
  const { [commandId]: _, ...started } = (await readSetupState(privateGit)).started;
  await keepSetupState(privateGit, { started });
}

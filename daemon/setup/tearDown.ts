import { defined } from '../../schemas/defined.ts';
import { expandWords } from '../../schemas/repository/variables.ts';
import { type CommandInput, type CommandResult, endLeftovers, startOrAdopt } from '../commands/runner.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { returnPorts } from './choosePorts.ts';
import { readSetupState } from './setupState.ts';

export interface TearDown {
  privateGit: PrivateGit;
  commands: readonly string[][];
  /** As of `setUpDirectly`. */
  dir: string;
  id: string;
  env: Record<string, string>;
  /** Milliseconds for each command. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** As of `CommandInput`. */
  within?: CommandInput['within'];
  now(): Date;
}

/**
 * Runs the commands before a worktree is removed, and gives its ports back. A command that fails does not keep the others from
 * running, nor the worktree from being removed. Returns what failed.
 */
export async function tearDown(input: TearDown): Promise<{ argv: readonly string[]; result: CommandResult }[]> {
  const { privateGit, commands, dir, id, env, timeoutMs, signal, within, now } = input;
  const failed: { argv: readonly string[]; result: CommandResult }[] = [];
  for (const [index, argv] of commands.entries()) {
    const commandId = `${id}-teardown-${index}`;
    const command = {
      commandId,
      argv: expandWords(argv, env),
      cwd: privateGit.path,
      dir,
      env,
      timeoutMs,
      startedAt: now(),
    };
    const result = await startOrAdopt({ ...command, ...defined({ signal, within }) });
    await endLeftovers(dir, commandId, privateGit.path);
    if (result.exitCode !== 0) failed.push({ argv, result });
  }
  returnPorts((await readSetupState(privateGit)).ports);
  return failed;
}

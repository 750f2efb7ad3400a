import { defined } from '../../../schemas/defined.ts';
import { devflowDirectories, resolvePaths } from '../../../schemas/files/paths.ts';
import type { Sandbox } from '../../../schemas/sandbox.ts';
import type { CommandInput } from '../../commands/runner.ts';
import type { WorktreePlace } from '../../repository/git/worktreePlace.ts';
import { commandSandbox } from '../../sandbox/commandSandbox.ts';

/** A command of a run, in a worktree of it. */
interface Command {
  /** Absent: the commands of the run get no sandbox. */
  sandbox?: Sandbox | undefined;
  place: WorktreePlace;
  /** Default: the worktree. */
  cwd?: string;
  /** The directory of outputs. */
  dir: string;
  /** More directories that it writes to. */
  writes?: readonly string[];
}

/** Starts a command in the sandbox of its run, if it has one. */
export function withinSandbox({
  sandbox,
  place,
  cwd = place.path,
  dir,
  writes,
}: Command): Pick<CommandInput, 'within'> {
  if (!sandbox) return {};
  const hidden = devflowDirectories(resolvePaths(process.env));
  const { repoPath, path, branch, head, isCheckout } = place;
  const worktree = { repoPath, path, branch, ...defined({ head, isCheckout }) };
  return {
    within: (inside, env) =>
      commandSandbox({ wish: sandbox, worktree, cwd, dir, env, inside, hidden, ...(writes && { writes }) }),
  };
}

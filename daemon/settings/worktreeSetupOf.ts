import { defined } from '../../schemas/defined.ts';
import type { RepositorySettings } from '../../schemas/repository/settings.ts';
import type { SetupCommand, WorktreeSetup } from '../../schemas/repository/worktreeSetup.ts';
import { nameOf } from '../discovery/candidate/paths.ts';
import type { Clone } from './guess/clones.ts';

interface Given {
  /** The person's own, and what the person allowed. */
  worktree: RepositorySettings['worktree'];
  include: readonly string[];
  /** Installed directories of the checkout that could be cloned. */
  clones: readonly Clone[];
  /** True if the commands are guessed. */
  isGuess: boolean;
}

/** The set-up of worktrees; undefined if there is nothing to do. Pure. */
export function worktreeSetupOf({ worktree = {}, include, clones, isGuess }: Given): WorktreeSetup | undefined {
  const { copy = [], clone = [], link = [], setup = [], again = [], teardown = [], ports = [], env = {} } = worktree;
  const used = isGuess ? clones : clones.filter(({ directories: [main = ''] }) => isNamed(clone, main));
  const result: WorktreeSetup = {
    isGuess,
    copy: [...copy, ...include],
    clone: [...clone, ...(isGuess ? clones.flatMap(({ directories }) => directories.map((each) => `/${each}`)) : [])],
    link,
    commands: setup.map((argv) => commandOf(argv, used)),
    again,
    teardown,
    ports,
    env,
  };
  const { isGuess: _, again: __, env: variables, ...lists } = result;
  const isEmpty = Object.values(lists).every((list) => list.length === 0) && Object.keys(variables).length === 0;
  return isEmpty ? undefined : result;
}

/** A command that would make again what was cloned is left out. */
function commandOf(argv: string[], clones: readonly Clone[]): SetupCommand {
  const clone = clones.find(({ commands }) => commands.some((each) => isSameInstall(each, argv)));
  const [directory] = clone?.directories ?? [];
  return {
    argv,
    ...defined({ unlessCloned: clone && directory !== undefined ? { directory, lock: clone.lock } : undefined }),
  };
}

/** The same command with further options: `npm ci --prefer-offline`. An option with a value can name another directory. */
function isSameInstall(guessed: readonly string[], argv: readonly string[]): boolean {
  const words = (all: readonly string[]) => all.filter((word) => !/^--[^=]*$/.test(word));
  return words(guessed).join('\0') === words(argv).join('\0');
}

/** True if a list of patterns names this directory: `node_modules`, `/node_modules`, `node_modules/`. */
function isNamed(patterns: readonly string[], directory: string): boolean {
  return patterns.some((pattern) => {
    const path = pattern.replace(/\/$/, '');
    return path.replace(/^\//, '') === directory || path === nameOf(directory);
  });
}

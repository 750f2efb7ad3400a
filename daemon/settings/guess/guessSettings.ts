import type { SettingsLayer } from '../../../schemas/repository/mergeSettings.ts';
import type { RepositorySettings } from '../../../schemas/repository/settings.ts';
import type { checkPolicy } from '../../policy/policy.ts';
import { guessInstalls } from './guessInstalls.ts';
import { guessVerify } from './guessVerify.ts';
import type { GuessInput, Install } from './install.ts';

/** The guess for every repository: a small change with the newest version of its template. */
export const USUAL: SettingsLayer = { from: 'guess', isPersons: false, settings: { template: 'quick-change' } };

/** An installed directory that can be copied instead of being made again. */
export interface Cloneable extends NonNullable<Install['installed']> {
  /** The commands that would make them. */
  commands: string[][];
}

export interface Guess {
  layer: SettingsLayer;
  cloneable: Cloneable[];
}

/** The guessed settings of a repository, with the reason for each value. Pure. */
export function guessSettings(input: GuessInput, policy: typeof checkPolicy): Guess {
  const installs = guessInstalls(input).filter(({ commands }) => commands.every((argv) => policy(argv).allowed));
  const checks = guessVerify(input, installs).filter(({ argv }) => policy(argv).allowed);
  const settings: RepositorySettings = { ...USUAL.settings };
  if (checks.length > 0) settings.verify = checks.map(({ argv }) => argv);
  if (installs.length > 0) settings.worktree = worktreeOf(installs);
  const reasons: Readonly<Record<string, readonly string[]>> = {
    verify: checks.map(({ because }) => because),
    worktree: installs.flatMap(({ because }) => because),
  };
  const whyOf = ([key = '']: readonly string[]) => reasons[key]?.join(', ');
  return {
    layer: { ...USUAL, settings, whyOf },
    cloneable: installs.flatMap(({ installed, commands }) => (installed ? [{ ...installed, commands }] : [])),
  };
}

function worktreeOf(installs: readonly Install[]): NonNullable<RepositorySettings['worktree']> {
  const programs = installs.flatMap((install) => install.programs ?? []);
  const path = [...programs.map((each) => `$DEVFLOW_WORKTREE/${each}`), '$PATH'].join(':');
  const env = Object.assign({}, ...installs.map((install) => install.env), programs.length > 0 && { PATH: path });
  return {
    setup: installs.flatMap(({ commands }) => commands),
    again: [...new Set(installs.flatMap(({ again }) => again))],
    ...(Object.keys(env).length > 0 && { env }),
  };
}

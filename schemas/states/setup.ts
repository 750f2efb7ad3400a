import { MAIN } from '../mainLane.ts';
import type { SetupView } from '../rpc/views/setup.ts';
import { counted, someOf } from '../text/phrases.ts';
import { duration } from '../time/duration.ts';

/** The set-up of a lane's worktree, as a sentence without its end. */
export function setupSentence(view: SetupView): string {
  const where = view.laneId === MAIN ? '' : `${view.laneId}: `;
  return `${where}${whatHappened(view)}`;
}

function whatHappened({ state, ms, isGuess, reason, placed }: SetupView): string {
  switch (state) {
    case 'running':
      return 'being set up';
    case 'done': {
      const parts = placedWords(placed);
      return `set up in ${duration(ms ?? 0)}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
    }
    case 'failed':
      return isGuess
        ? `the guessed set-up failed: ${reason ?? ''}; devflow repository forbid --only worktree keeps devflow from guessing here`
        : `the set-up failed: ${reason ?? ''}`;
    case 'without':
      return 'without set-up';
    default:
      return state satisfies never;
  }
}

function placedWords(placed: SetupView['placed']): string[] {
  return (['copied', 'cloned', 'linked'] as const).flatMap((how) => {
    const those = placed.filter((each) => each.how === how);
    if (those.length === 0) return [];
    const bytes = those.reduce((sum, each) => sum + each.bytes, 0);
    const size = how === 'linked' ? '' : `, ${sizeOf(bytes)}`;
    return [`${how} ${someOf(those.map(({ path }) => path))}${size}`];
  });
}

/** Files that the set-up changed, made or did not get. A sentence each. */
export function setupNotes({ changed, excluded, refused }: SetupView): string[] {
  const them = (paths: readonly string[]) => (paths.length === 1 ? 'it' : 'them');
  return [
    ...(changed.length > 0 ? [`The set-up changed ${someOf(changed)}, and devflow put ${them(changed)} back.`] : []),
    ...(excluded.length > 0
      ? [`The set-up made ${someOf(excluded)}, which git does not ignore. No commit of the run gets ${them(excluded)}.`]
      : []),
    ...(refused.length > 0
      ? [
          `${counted(refused.length, 'path')} of your checkout did not get into the worktree: ${refused[0]?.path} ${refused[0]?.reason}.`,
        ]
      : []),
  ];
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** `512 bytes`, `3.4 MB`. */
export function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${UNITS[power]}`;
}

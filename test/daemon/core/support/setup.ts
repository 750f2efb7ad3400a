import { decide } from '../../../../daemon/core/decide.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { WorktreeSetup } from '../../../../schemas/repository/worktreeSetup.ts';
import { commandOk, done, type Input } from './given.ts';
import { resultsOf } from './outcomes.ts';

/** A set-up with everything. */
export const SETUP: WorktreeSetup = {
  isGuess: false,
  copy: ['.env.local'],
  clone: [],
  link: [],
  commands: [{ argv: ['npm', 'ci'] }, { argv: ['npm', 'run', 'prepare'] }],
  again: ['package-lock.json'],
  teardown: [],
  ports: ['PORT'],
  env: { NODE_ENV: 'test' },
};
export const GUESS: WorktreeSetup = { ...SETUP, isGuess: true };

export const placed = done('placeWorktree');
/** What was cloned needs no command. */
export const cloned = done('placeWorktree', 1);
export const finished = done('finishSetup');

/** The set-up of the lane that is due first goes well. */
export const setUp: Input[] = [placed, commandOk, commandOk, finished];

/** The due effect finds out that the worktree is not as it was set up. */
export const outdatedAt =
  (type: 'sendPrompt' | 'runCommand') =>
  (run: Run): Outcome => {
    const outcomes = decide(run).flatMap((effect) => (effect.type === type ? resultsOf(effect, run) : []));
    const found = outcomes.find((outcome) => outcome.type === 'setupOutdated');
    if (!found) throw new TypeError(`${type} checks no set-up`);
    return found;
  };

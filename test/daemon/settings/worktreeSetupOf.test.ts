import { expect, test } from 'vitest';
import { worktreeSetupOf } from '../../../daemon/settings/worktreeSetupOf.ts';

const CLONES = [{ directories: ['node_modules'], lock: 'package-lock.json', commands: [['npm', 'ci']] }];

const setupWith = (setup: string[][]) =>
  worktreeSetupOf({ worktree: { clone: ['node_modules'], setup }, include: [], clones: CLONES, isGuess: false });

test.each([
  [['npm', 'ci'], true],
  [['npm', 'ci', '--prefer-offline'], true],
  [['npm', 'ci', '--prefix', 'backend'], false],
  // It installs another directory than the one that is cloned.
  [['npm', 'ci', '--prefix=backend'], false],
  [['npm', 'install'], false],
])('%j is left out if its directory is cloned: %s', (argv, isLeftOut) => {
  const [command] = setupWith([argv])?.commands ?? [];
  expect(command?.unlessCloned?.directory).toBe(isLeftOut ? 'node_modules' : undefined);
});

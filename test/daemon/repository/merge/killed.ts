import { join } from 'node:path';
import { type Kill, runUntilKilled } from '../../../helpers/killedByGit.ts';
import type { Given } from './given.ts';
import type { CHILDREN } from './mergeChild.ts';

/** Calls a function of the merge queue in a process that is killed at one call of git. */
export function callAndDie<F extends keyof typeof CHILDREN>(
  { repo }: Given,
  name: F,
  input: Parameters<(typeof CHILDREN)[F]>[0],
  kill: Kill,
): void {
  runUntilKilled(repo.root, join(import.meta.dirname, 'mergeChild.ts'), [name, JSON.stringify(input)], kill);
}

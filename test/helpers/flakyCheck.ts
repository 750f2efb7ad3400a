import { join } from 'node:path';

const SCRIPT = join(import.meta.dirname, '../fixtures/checks/flaky.sh');

/** A check that fails once, at the first tree that has the file. `state` is a path outside of all worktrees. */
export function flakyCheck(state: string, file: string): string[] {
  return ['sh', SCRIPT, state, file];
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../schemas/files/paths.ts';

/** The completion script for a shell. It calls `devflow __complete`, so it never gets stale. */
export function script(shell: 'bash' | 'zsh' | 'fish'): string {
  return readFileSync(join(packageRoot(), 'cli', 'completion', `devflow.${shell}`), 'utf8');
}

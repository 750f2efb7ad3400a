import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../schemas/files/paths.ts';

/** The completion script for a shell. It asks `devflow __complete`, so that it never grows old. */
export function script(shell: 'bash' | 'zsh' | 'fish'): string {
  return readFileSync(join(packageRoot(), 'cli', 'completion', `devflow.${shell}`), 'utf8');
}

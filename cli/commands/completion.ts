import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { packageRoot } from '../../schemas/files/paths.ts';
import { answer, type Shell } from '../completion/answer.ts';
import { commandTree } from '../completion/tree.ts';
import type { Io } from '../io/io.ts';

/** The completion script for a shell. It calls `devflow __complete`, so it never gets stale. */
export function script(shell: 'bash' | 'zsh' | 'fish'): string {
  return readFileSync(join(packageRoot(), 'cli', 'completion', `devflow.${shell}`), 'utf8');
}

/** `devflow __complete <shell> -- <words>`: prints what may complete the last word. Prints nothing after an error. */
export async function complete(shell: Shell, words: readonly string[], program: Command, io: Io): Promise<void> {
  try {
    io.out(Buffer.from(await answer(shell, words, commandTree(program), io)));
  } catch {
    // A message would disturb the command line that the person is typing.
  }
}

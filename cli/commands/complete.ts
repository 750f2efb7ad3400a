import type { Command } from 'commander';
import { answer, type Shell } from '../completion/answer.ts';
import { commandTree } from '../completion/tree.ts';
import type { Io } from '../io.ts';

/** `devflow __complete <shell> -- <words>`: what may stand at the end of these words. Silent when anything is amiss. */
export async function complete(shell: Shell, words: readonly string[], program: Command, io: Io): Promise<void> {
  try {
    io.out(Buffer.from(await answer(shell, words, commandTree(program), io)));
  } catch {
    // A message in the middle of someone's command line helps nobody.
  }
}

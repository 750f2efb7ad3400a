import type { Command } from 'commander';
import { answer, type Shell } from '../../completion/answer.ts';
import { commandTree } from '../../completion/tree.ts';
import type { Io } from '../../io/io.ts';

/** `devflow __complete <shell> -- <words>`: prints what may complete the last word. Prints nothing after an error. */
export async function complete(shell: Shell, words: readonly string[], program: Command, io: Io): Promise<void> {
  try {
    io.out(Buffer.from(await answer(shell, words, commandTree(program), io)));
  } catch {
    // A message would disturb the command line that the person is typing.
  }
}

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { endLeftovers } from '../commands/runner.ts';
import { removeCheckout } from './scratchCheckout.ts';

/** Ends the command of a discovery that was killed, and removes its checkout. No other discovery may use the directory. */
export async function removeLeftovers(scratchDir: string): Promise<void> {
  for (const name of await namesIn(scratchDir)) {
    const commands = join(scratchDir, name, COMMANDS);
    const begun = (await namesIn(commands)).filter((each) => each.endsWith('.pid'));
    const below = join(scratchDir, name);
    for (const each of begun) await endLeftovers(commands, each.slice(0, -'.pid'.length), below);
    await removeCheckout(join(scratchDir, name));
  }
}

/** The directory with the output of commands, below discovery's own. */
export const COMMANDS = 'commands';

const namesIn = (directory: string) => readdir(directory).catch((): string[] => []);

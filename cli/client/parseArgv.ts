import { DevflowError } from '../../schemas/errors.ts';
import { commandWords } from '../../schemas/text/commandWords.ts';

/** The words of a command: a JSON list, or text that is split as in a shell. Nothing is expanded. */
export function parseArgv(option: string, text: string): string[] {
  const read = commandWords(text);
  if (read.ok) return read.words;
  throw new DevflowError('usage', `${option} ${read.fault}`, { recoveryHint: read.hint });
}

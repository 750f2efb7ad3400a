import type { Command } from 'commander';
import { processIo } from '../cli/io/io.ts';
import { createProgram } from '../cli/program.ts';

/** The texts of `--help`, by the words of the command: `''`, `'run'`, `'run start'`. */
export function helpTexts(): Record<string, string> {
  const texts: Record<string, string> = {};
  let text = '';
  const visit = (command: Command, words: string[]) => {
    text = '';
    // Not `helpInformation()`, which lacks the text of `addHelpText`.
    command.outputHelp();
    texts[words.join(' ')] = text;
    for (const child of command.commands) if (!child.name().startsWith('_')) visit(child, [...words, child.name()]);
  };
  const out = (part: string | Uint8Array) => {
    text += part;
  };
  visit(createProgram({ io: { ...processIo(), out }, exit: () => {} }), []);
  return texts;
}

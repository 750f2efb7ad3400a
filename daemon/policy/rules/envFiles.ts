import type { Command, Word } from '../call/call.ts';
import { given, parseOptions } from '../call/options.ts';

/** `.env`, `./.env.test`, `api/.env`: only below the directory of the command. */
const ENV_FILE = /^(?:\.\/)?(?:(?!\.\.\/)[\w.-]+\/)*\.env(?:\.[\w-]+)*$/;
const COPIERS = new Set(['cp', 'mv', 'install', 'ln']);
const VALUED = ['-t', '--target-directory', '-S', '--suffix', '-m', '--mode', '-o', '--owner', '-g', '--group'];
const WRITERS = new Set(['touch', 'tee']);
const SHELLS = new Set(['sh', 'bash', 'dash', 'ksh', 'zsh']);

/**
 * The command without the words that name a `.env` file only to write it, as in `cp .env.example .env`. `start`: its program.
 * A shell's script is no file name, and is checked by itself.
 */
export function withoutMadeEnvFiles(command: Command, words: readonly Word[], start: number): [Command, Word[]] {
  const redirects = command.redirects.filter((word) => !word.isOutput || !ENV_FILE.test(word.text));
  const name = words[start]?.text.replace(/^.*\//, '') ?? '';
  const args = start < 0 ? [] : words.slice(start + 1);
  const made = new Set(SHELLS.has(name) ? args.filter(({ text }) => /\s/.test(text)) : writtenBy(name, args));
  return [{ ...command, redirects }, words.filter((word) => !made.has(word))];
}

function writtenBy(name: string, args: readonly Word[]): Word[] {
  const { options, operands } = parseOptions(args, COPIERS.has(name) ? VALUED : []);
  const isInto = given(options, '-t', '--target-directory') || operands.length < 2;
  const written = WRITERS.has(name) ? operands : COPIERS.has(name) && !isInto ? operands.slice(-1) : [];
  return written.filter(({ text }) => ENV_FILE.test(text));
}

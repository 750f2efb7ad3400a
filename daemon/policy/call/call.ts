import type { Violation } from './violation.ts';

/** One word of a command after unquoting. */
export interface Word {
  text: string;
  /** A shell expands something in it, so `text` is not what the program gets. */
  dynamic: boolean;
  /** The expansion is at its start, so the word may become an option. */
  leading: boolean;
  /** `text`: neither a command nor a path (a pattern, a message). `name`: no command, but maybe a file. */
  role?: 'text' | 'name';
  /** The file that it names is written, and not read. */
  isOutput?: boolean;
}

export interface Command {
  words: Word[];
  /** Files that the shell opens for the command. */
  redirects: Word[];
  /** Its standard input: known text, `null` for an unknown pipe, `undefined` for no pipe. */
  input?: string | null;
}

/** A program with its arguments, anywhere in a command. */
export interface Call {
  name: string;
  args: Word[];
  input?: string | null;
}

/**
 * The inner part of a program that would run. It is a script, a possible script, code of another language, or a
 * command.
 */
export type Inner = { script: string } | { text: string } | { code: string } | { words: Word[] };

/** Checks one call. It yields violations, and inner commands to check in turn. */
export type CallRule = (call: Call) => Iterable<Violation | Inner>;

/** A word that reaches the program exactly as written. */
export function literal(text: string): Word {
  return { text, dynamic: false, leading: false };
}

/** A word that may become an option (or several words) when the shell expands it. */
export function mayBeOption(word: Word): boolean {
  return word.dynamic && (word.leading || word.text.startsWith('-'));
}

/** The words before `--`, where options may stand. */
export function beforeDashes(words: readonly Word[]): Word[] {
  const dashes = words.findIndex((word) => word.text === '--');
  return words.slice(0, dashes < 0 ? undefined : dashes);
}

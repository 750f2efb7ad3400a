import { parse as parseToml } from 'smol-toml';
import type { ProgramSettings } from '../../../schemas/repository/agentSettings.ts';
import type { ProgramRights } from '../../../schemas/repository/programRights.ts';

/** A fault of a file, which then gives no rights, and the remedy. */
export interface RightsFault {
  file: string;
  /** Completes `<file>: `. */
  message: string;
  remedy: string;
}

/** A part of a file that devflow does not give to agents. */
export interface LeftOut {
  file: string;
  what: string;
  why: string;
}

export type ReadProgram = ProgramRights & { leftOut: readonly LeftOut[]; faults: readonly RightsFault[] };

/** Knows the settings of one agent program. Pure. */
export interface RightsReader {
  /** True for a file that these settings need. */
  wants(path: string, settings: ProgramSettings): boolean;
  /** `texts` has the wanted files that there are; `paths`, the names of all files. */
  read(texts: ReadonlyMap<string, string>, settings: ProgramSettings, paths: ReadonlySet<string>): ReadProgram;
}

/** More than a person would read and allow. */
export const MOST_HOOKS = 100;
export const MOST_RULES = 500;
const MOST_COMMAND = 4096;

export type Json = Readonly<Record<string, unknown>>;

/** A value as a record of its own keys; undefined for anything else. */
export function recordIn(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Text for a command line or a setting; undefined for anything else, also for NUL and halves of characters. */
export function textIn(value: unknown, most = MOST_COMMAND): string | undefined {
  const isText = typeof value === 'string' && value.trim() !== '' && value.length <= most;
  return isText && value.isWellFormed() && !value.includes('\0') ? value : undefined;
}

/** Texts, numbers and booleans under these keys. */
export function plainIn(record: Json, keys: readonly string[]): Record<string, string | number | boolean> {
  const entries = keys.flatMap((key) => {
    const value = Object.hasOwn(record, key) ? record[key] : undefined;
    const isPlain = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value) && value > 0);
    return isPlain || textIn(value) !== undefined ? [[key, value as string] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** The keys of a record that are not among these. */
export function otherKeys(record: Json, known: readonly string[]): string[] {
  return Object.keys(record).filter((key) => !known.includes(key));
}

type Parsed = { value: Json } | { fault: RightsFault };

/** `comments`: the program allows comments and commas at the end. */
export function parseJson(file: string, text: string, { comments = false } = {}): Parsed {
  return parsed(file, 'JSON', () => JSON.parse(comments ? withoutComments(text) : text));
}

export function parseTomlFile(file: string, text: string): Parsed {
  return parsed(file, 'TOML', () => parseToml(text));
}

function parsed(file: string, language: string, parse: () => unknown): Parsed {
  const notRead = (message: string): Parsed => ({
    fault: { file, message, remedy: `Correct ${file} and commit it, or turn its settings off in devflow.yaml.` },
  });
  try {
    const value = recordIn(parse());
    return value ? { value } : notRead(`this is not an object, as settings in ${language} are`);
  } catch (error) {
    // A text that nests deeply ends in a RangeError, whose words help nobody.
    const why = error instanceof RangeError ? 'it nests too deeply' : (error as Error).message.split('\n')[0];
    return notRead(`this is not ${language}: ${why}`);
  }
}

/** JSON without comments, and without commas before a closing bracket. Positions stay. */
function withoutComments(text: string): string {
  const letters = [...text];
  const blank = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) if (letters[at] !== '\n') letters[at] = ' ';
  };
  /** The last comma, as long as only blanks follow. */
  let comma: number | undefined;
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] as string;
    const isComment = letter === '/' && (letters[at + 1] === '/' || letters[at + 1] === '*');
    if (isComment) {
      const end = endOfComment(letters, at);
      blank(at, end);
      at = end - 1;
    } else if (letter === '"') {
      at = endOfText(letters, at);
      comma = undefined;
    } else if (!/\s/.test(letter)) {
      if (comma !== undefined && (letter === ']' || letter === '}')) blank(comma, comma + 1);
      comma = letter === ',' ? at : undefined;
    }
  }
  return letters.join('');
}

function endOfComment(letters: readonly string[], start: number): number {
  const isLine = letters[start + 1] === '/';
  for (let at = start + 2; at < letters.length; at += 1) {
    if (isLine && letters[at] === '\n') return at;
    if (!isLine && letters[at] === '*' && letters[at + 1] === '/') return at + 2;
  }
  return letters.length;
}

function endOfText(letters: readonly string[], start: number): number {
  for (let at = start + 1; at < letters.length; at += 1) {
    if (letters[at] === '\\') at += 1;
    else if (letters[at] === '"') return at;
  }
  return letters.length;
}

import { posix } from 'node:path';
import { AGENT_DIRECTORIES } from '../../schemas/backends/agentFiles.ts';

/** A part of a text that names a file or directory of the repository. */
export interface NamedPath {
  start: number;
  end: number;
  path: string;
}

export interface NamedPaths {
  found: readonly NamedPath[];
  /** Named in a way that cannot be replaced: what runs there would be the worktree's. */
  unclear: readonly string[];
}

/** Variables and commands with which a hook says where the repository is, with the slash behind it. */
const ROOT = [
  String.raw`\$(?:CLAUDE_PROJECT_DIR|GEMINI_PROJECT_DIR|GEMINI_CWD|PWD)`,
  String.raw`\$\{(?:CLAUDE_PROJECT_DIR|GEMINI_PROJECT_DIR|GEMINI_CWD|PWD)(?::?-[^{}]{0,100})?\}`,
  String.raw`\$\((?:git rev-parse --show-toplevel|pwd)\)`,
].join('|');
const ROOT_BEFORE = new RegExp(`(?:"(?:${ROOT})"|(?:${ROOT}))/+(?:\\./+)?$|(?:\\./+)+$`);

/** Characters of names: a path neither begins nor ends between two of them. */
const IN_NAME = /[\p{L}\p{N}_.+@~%-]/u;
/** Files that a program may run, by their names. Other files that a command names are its data, and stay. */
const SCRIPT = /\.(?:[cm]?[jt]sx?|sh|bash|zsh|fish|py|rb|pl|php|lua|awk|jq)$/i;
/** Of the places behind a start at which a path may end. A text of separators alone would take long. */
const MOST_ENDS = 32;
/** A path below the person's home is not the repository's. */
const HOME_BEFORE = /(?:~|\$HOME|\$\{HOME\})\/+$/;

/**
 * The files and directories of `known` that a text names: below a variable for the root, below `./`, or alone. In a
 * shell line they may stand in quotes. Pure.
 */
export function namedPaths(text: string, known: ReadonlySet<string>): NamedPaths {
  const found: NamedPath[] = [];
  const unclear: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (at > 0 && IN_NAME.test(text[at - 1] as string)) continue;
    const path = longestAt(text, at, known);
    if (path === undefined || HOME_BEFORE.test(text.slice(Math.max(0, at - 20), at))) continue;
    const start = startOf(text, at);
    const end = at + path.length;
    // `npm run x` runs no file `run`: a shell looks for such a word elsewhere.
    if (start === at && !path.includes('/') && !SCRIPT.test(path) && !isOfAgents(path)) continue;
    if (start === undefined || quoteAt(text, start) !== quoteAt(text, end)) unclear.push(path);
    else found.push({ start, end, path });
    at = end - 1;
  }
  return { found, unclear };
}

function longestAt(text: string, at: number, known: ReadonlySet<string>): string | undefined {
  let longest: string | undefined;
  let ends = 0;
  for (let end = at + 1; end <= text.length && ends < MOST_ENDS; end += 1) {
    if (end < text.length && IN_NAME.test(text[end] as string)) continue;
    ends += 1;
    const path = text.slice(at, end);
    if (known.has(path)) longest = path;
  }
  return longest;
}

/** The start of the word that ends in the path; undefined if something else stands before it. */
function startOf(text: string, at: number): number | undefined {
  const before = text.slice(Math.max(0, at - 200), at);
  const root = ROOT_BEFORE.exec(before)?.[0];
  const start = at - (root?.length ?? 0);
  const last = text[start - 1];
  if (last === undefined || /[\s;|&(=<>`]/.test(last)) return start;
  // An opening quote, before which a word begins, too.
  const opens = (last === '"' || last === "'") && quoteAt(text, start - 1) === '' && quoteAt(text, start) === last;
  return opens && (start === 1 || /[\s;|&(=<>`]/.test(text[start - 2] as string)) ? start : undefined;
}

/** The path that a whole word names; undefined if it names none. `below`: the directory in which its program starts. */
export function wordPath(word: string, known: ReadonlySet<string>, below = ''): string | undefined {
  const there = posix.join(below, word);
  if (below !== '' && known.has(there)) return there;
  if (known.has(word)) return word;
  const [first] = namedPaths(word, known).found;
  return first?.start === 0 && first.end === word.length ? first.path : undefined;
}

/** The quote of a shell line that is open at a position: `"`, `'` or none. */
function quoteAt(text: string, position: number): string {
  let open = '';
  for (let at = 0; at < position; at += 1) {
    const letter = text[at] as string;
    if (letter === '\\' && open !== "'") at += 1;
    else if (open === '' && (letter === '"' || letter === "'")) open = letter;
    else if (letter === open) open = '';
  }
  return open;
}

/** A command that enters a directory, with its words. */
const ENTERS = /(?:^|[\s;&|({`])(?:cd|pushd)\s+((?:\$\([^)]*\)|[^;&|)\n])+)/g;
const ROOT_FIRST = new RegExp(`^(?:${ROOT})(?:/|$)`);
/** A line that enters more of them is no hook that a person wrote. */
const MOST_ENTERED = 20;

/**
 * Files that a shell line names from a directory that it enters before, or with needless slashes. It would run the
 * worktree's file. Of agents' own directories, the line enters the frozen ones.
 */
export function namedElsewhere(line: string, known: ReadonlySet<string>): string[] {
  const directories = [...line.matchAll(ENTERS)].map(([, words = '']) => {
    const named = words
      .replaceAll(/["']/g, '')
      .replace(/^(?:--\s+)?/, '')
      .trim();
    return posix.normalize(named.replace(ROOT_FIRST, '').split(/\s/)[0] || '.').replace(/\/$/, '');
  });
  const entered = [...new Set(directories)].slice(0, MOST_ENTERED).flatMap((directory) => {
    if (isOfAgents(directory)) return [];
    const isNamed = (path: string) =>
      path.startsWith(`${directory}/`) && namesFile(line, path.slice(directory.length + 1));
    return [...known].filter(isNamed).slice(0, 1);
  });
  const plain = line.replaceAll(/(?<![:/])\/(?:\.?\/)+/g, '/');
  if (plain === line) return entered;
  const seen = new Set(namedPaths(line, known).found.map(({ path }) => path));
  const { found, unclear } = namedPaths(plain, known);
  return [...entered, ...unclear, ...found.flatMap(({ path }) => (seen.has(path) ? [] : [path]))];
}

function namesFile(line: string, path: string): boolean {
  for (let at = line.indexOf(path); at >= 0; at = line.indexOf(path, at + 1)) {
    const [before = ' ', after = ' '] = [line[at - 1], line[at + path.length]];
    if (!IN_NAME.test(before) && !IN_NAME.test(after)) return true;
  }
  return false;
}

/** A shell line in which each named path is that of `to`. */
export function replacedInLine(line: string, named: readonly NamedPath[], to: (path: string) => string): string {
  let written = '';
  let from = 0;
  for (const { start, end, path } of named) {
    written += line.slice(from, start) + quotedIn(to(path), quoteAt(line, start));
    from = end;
  }
  return written + line.slice(from);
}

function quotedIn(path: string, quote: string): string {
  if (quote === '"') return path.replaceAll(/["\\$`]/g, String.raw`\$&`);
  const inner = path.replaceAll("'", String.raw`'\''`);
  return quote === "'" ? inner : `'${inner}'`;
}

/** The files and directories that count when a command names them. */
export function runnablePaths(files: ReadonlyMap<string, { executable: boolean }>): Set<string> {
  const paths = new Set<string>();
  for (const [path, { executable }] of files) {
    const directory = AGENT_DIRECTORIES.find((each) => path.startsWith(`${each}/`));
    if (directory === undefined) {
      if (executable || SCRIPT.test(path)) paths.add(path);
      continue;
    }
    // Also its directories: a command may enter one and run what is there.
    for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) paths.add(path.slice(0, at));
  }
  return paths;
}

/** True if the path is one of an agent program's own directories, or below it. */
export function isOfAgents(path: string): boolean {
  return AGENT_DIRECTORIES.some((each) => path === each || path.startsWith(`${each}/`));
}

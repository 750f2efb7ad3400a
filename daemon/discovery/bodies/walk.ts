import { storableText } from '../../../schemas/definitions/unstorableText.ts';
import type { Command } from '../../policy/call/call.ts';
import { shownText } from '../candidate/lines.ts';

/** A text of the repository that runs with a command, with its file and line. */
export interface Body {
  path: string;
  /** 1-based. */
  line: number;
  text: string;
}

/** A commit, as far as it was read. */
export interface CommitTexts {
  paths: ReadonlySet<string>;
  /** Null: it cannot be read. Undefined: it was not read yet, or the commit has no such file. */
  read(path: string): string | null | undefined;
  /** The commands of a shell script. Many commands share one script. */
  commandsOf(script: string): readonly Command[];
}

/** Texts, programs and files that run with a command. */
export interface Bodies {
  bodies: Body[];
  /** Programs and files that run with it and that devflow does not read. */
  unread: string[];
  /** The reason why the command may not run, whatever its bodies are. */
  refused: string | undefined;
  /** Files that must be read before the answer is complete. */
  needs: string[];
}

/** The origin of a command: its directory, the text that names it, and how many texts lead to it. */
export interface CommandOrigin {
  cwd: string;
  from: string;
  depth: number;
}

/** Limits of one command. Each text may begin another command, so many of them cost minutes. */
export const MOST_WORDS = 1000;
const MOST_BODIES = 100;
const MOST_DEPTH = 8;
const MOST_UNREAD = 50;
const MOST_EFFORT = 5000;
const SHOWN_CHARACTERS = 80;

/** Collects what runs with one command. */
export interface Walk {
  commit: CommitTexts;
  /** The text of a file of the commit; undefined if it has none, or must still be read. */
  text(path: string): string | undefined;
  /** Calls `make` once for each key, and returns that result. */
  once<T>(key: string, make: () => T): T;
  /** False once the command runs more than a person would read. Each command is an effort of one. */
  spend(effort?: number): boolean;
  /** Adds a text. False if it is known, or if there are too many. */
  add(body: Body, depth: number): boolean;
  skip(what: string): void;
  refuse(why: string): void;
  found(): Bodies;
}

export function createWalk(commit: CommitTexts): Walk {
  const bodies = new Map<string, Body>();
  const unread = new Set<string>();
  const needs = new Set<string>();
  const made = new Map<string, unknown>();
  let refused: string | undefined;
  let left = MOST_EFFORT;
  const skip = (what: string) => {
    if (unread.size < MOST_UNREAD) unread.add(shown(what));
  };
  return {
    commit,
    text(path) {
      if (!commit.paths.has(path)) return undefined;
      const text = commit.read(path);
      if (text === null) skip(path);
      if (text === undefined) needs.add(path);
      return text ?? undefined;
    },
    once<T>(key: string, make: () => T) {
      if (!made.has(key)) made.set(key, make());
      return made.get(key) as T;
    },
    spend(effort = 1) {
      left -= effort;
      if (left < 0) skip('more commands than devflow follows');
      return left >= 0;
    },
    add(body, depth) {
      const key = `${body.path}:${body.line}`;
      if (bodies.has(key)) return false;
      if (bodies.size < MOST_BODIES && depth < MOST_DEPTH) {
        bodies.set(key, { ...body, text: storableText(body.text) });
        return true;
      }
      skip(key);
      return false;
    },
    skip,
    refuse: (why) => {
      refused ??= shown(why);
    },
    found: () => ({ bodies: [...bodies.values()], unread: [...unread], refused, needs: [...needs] }),
  };
}

const shown = (text: string) => shownText(text, SHOWN_CHARACTERS);

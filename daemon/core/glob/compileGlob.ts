import { type Automaton, buildAutomaton } from './automaton.ts';
import { foldText } from './foldCase.ts';
import { type GlobReading, globReadings } from './globReadings.ts';
import { parsePattern } from './parsePattern.ts';
import { ANYTHING, BELOW, literal, type Part } from './part.ts';
import { samplePath } from './samplePath.ts';
import { startOfName } from './startOfName.ts';

/** `ignoreCase`: what git's `core.ignorecase` says. */
export interface CaseRule {
  ignoreCase: boolean;
}

export interface CompiledPattern {
  /** False if this code cannot read the pattern. Then it matches too much. */
  exact: boolean;
  /** True if these paths lie in something that is surely a file, such as `index.ts`. */
  inFile: boolean;
  /** The text that each path begins with, and the one that it ends with, folded as the automaton is. */
  prefix: string;
  suffix: string;
  /** The text that the last segment of each path begins with, folded as the automaton is. */
  namePrefix: string;
  /** The texts that each path contains, in any order, folded as the automaton is. */
  texts: readonly string[];
  /** Accepts what comes behind the prefix. Most pairs of patterns are told apart without it. */
  rest(): Automaton;
  /** A path that matches, with as little in it as possible. */
  sample: string;
}

/** A glob in all its readings, ready to be compared. */
export interface CompiledGlob {
  glob: string;
  ignoreCase: boolean;
  patterns: readonly CompiledPattern[];
}

/** Compile a glob once to compare it often. It must be normalised. */
export function compileGlob(glob: string, { ignoreCase }: CaseRule): CompiledGlob {
  const patterns = globReadings(glob)?.flatMap((reading) => compileReading(reading, ignoreCase));
  return { glob, ignoreCase, patterns: patterns ?? [compile(outerBound(glob), false, ignoreCase)] };
}

function compileReading({ pattern, inside }: GlobReading, ignoreCase: boolean): CompiledPattern[] {
  const itself = compilePattern(pattern, ignoreCase);
  if (inside === null) return [itself];
  const below = compilePattern(inside, ignoreCase);
  if (isFileName(pattern)) return [itself, { ...below, inFile: true }];
  // `x/**` matches `x` too, if this code can read `x`.
  return below.exact && !itself.exact ? [itself, below] : [below];
}

function compilePattern(pattern: string, ignoreCase: boolean): CompiledPattern {
  const parts = parsePattern(pattern);
  return compile(parts ?? outerBound(pattern), parts !== undefined, ignoreCase);
}

function compile(parts: readonly Part[], exact: boolean, ignoreCase: boolean): CompiledPattern {
  const fold = (text: string) => (ignoreCase ? foldText(text) : text);
  const textOf = (part?: Part) => (part?.is === 'text' ? fold(part.text) : '');
  const prefix = textOf(parts[0]);
  const namePrefix = fold(startOfName(parts));
  const texts = parts.map(textOf).filter((text) => text !== '');
  let built: Automaton | undefined;
  const rest = () => {
    built ??= buildAutomaton(prefix === '' ? parts : parts.slice(1), ignoreCase);
    return built;
  };
  const suffix = textOf(parts.at(-1));
  return { exact, inFile: false, prefix, suffix, namePrefix, texts, rest, sample: samplePath(parts) };
}

/** `index.ts`, `x.d.ts`, but not `.github`, `v1.2` or `Acme.Core`. */
const WITH_EXTENSION = /.\.[a-z][a-z0-9]{0,9}$/;
/** `Makefile`, `LICENSE`. */
const WITHOUT_EXTENSION = /^(?:[A-Z]{3,}|.+file)$/;
/** `.gitignore`, `.nvmrc`. */
const HIDDEN = /^\.(?:\w+(?:ignore|rc|attributes|modules|keep|version)|editorconfig|env)$/;

/** True if the last segment of a pattern is surely meant as a file, not as a directory. */
export function isFileName(pattern: string): boolean {
  const segment = pattern.slice(pattern.lastIndexOf('/') + 1);
  // `[...slug]` is a directory, `x.[jt]s` a file.
  const name = segment.replaceAll(/\\?\[[^\]]*\]/g, 'x');
  return [WITH_EXTENSION, WITHOUT_EXTENSION, HIDDEN].some((form) => form.test(name));
}

/** Without dots: in some of these patterns picomatch forgets what stands before a dot. */
const PLAIN_DIRECTORIES = /^(?:[\w-]+\/)+/;

/** A superset of a pattern that this code cannot read: everything in the directories that it begins with. */
function outerBound(pattern: string): Part[] {
  const [directories] = hasTopLevelChoice(pattern) ? [] : (PLAIN_DIRECTORIES.exec(pattern) ?? []);
  return directories === undefined ? [ANYTHING] : [literal(directories.slice(0, -1)), BELOW];
}

/** For picomatch `a|b` outside of parentheses is a choice between whole patterns. */
function hasTopLevelChoice(pattern: string): boolean {
  let text = pattern.replaceAll(/\\./gs, '');
  for (let inner = ''; inner !== text; ) {
    inner = text;
    text = inner.replaceAll(/\([^()]*\)/g, '');
  }
  return text.includes('|');
}

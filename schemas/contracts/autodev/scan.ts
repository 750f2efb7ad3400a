import { parseDocument } from 'yaml';
import { fitsPattern } from '../../files/fitsPattern.ts';
import { isTooNested } from '../document/nesting.ts';
import { childrenOf, type Entry, type TreeSnapshot, textOf, type Wanted } from '../report/tree.ts';
import { FLOWS, type Predicate } from './flows.ts';

/** True if the folders fulfil a predicate. */
export function holds(predicate: Predicate, tree: TreeSnapshot, cycle: number): boolean {
  if ('missing' in predicate) return !isPresent(tree, predicate.missing, cycle);
  if ('present' in predicate) return isPresent(tree, predicate.present, cycle);
  const [file, key] = predicate.flagFalse;
  const text = textOf(tree, file);
  return !text.ok || !isFlagTrue(text.text, key);
}

/** True if a file counts: it is regular, not empty and not hidden. */
export function isPresent(tree: TreeSnapshot, pattern: string, cycle = 1): boolean {
  const path = pattern.replaceAll('{cycle}', String(cycle));
  const { directory, name } = splitPath(path);
  if (name === ANY_FILE) return hasFileBelow(tree, directory);
  if (name.includes('*')) return countedFiles(tree, directory).some((file) => fitsName(file, name));
  const entry = tree.entries.get(path);
  return entry !== undefined && counts(entry);
}

/** The highest cycle that has a report of its implementation; 1 if none has. */
export function highestCycle(tree: TreeSnapshot): number {
  const cycles = countedFiles(tree, REPORTS).map((name) => {
    const [, cycle] = name.startsWith('implementation_report_') ? (CYCLE.exec(name) ?? []) : [];
    return Number(cycle ?? 1);
  });
  return cycles.reduce((highest, each) => Math.max(highest, each), 1);
}

const REPORTS = '_docs/03_implementation';
/** The words before the cycle in the names of reports. Upstream's own repositories have both. */
const CYCLE_WORDS = ['cycle', 'loop'];
const CYCLE = new RegExp(`_(?:${CYCLE_WORDS.join('|')})([1-9]\\d{0,8})\\.md$`);

/** A pattern for any file of a directory or of those in it: data is often sorted into directories. */
const ANY_FILE = '*';
const DEEPEST = 3;

function hasFileBelow(tree: TreeSnapshot, directory: string): boolean {
  return childrenOf(tree, directory).some((entry) => {
    return entry.kind === 'dir' ? !isHidden(entry) && hasFileBelow(tree, entry.path) : counts(entry);
  });
}

function fitsName(file: string, name: string): boolean {
  return CYCLE_WORDS.some((word) => fitsPattern(file, name.replace('_cycle', `_${word}`)));
}

function countedFiles(tree: TreeSnapshot, directory: string): string[] {
  return childrenOf(tree, directory)
    .filter(counts)
    .map(({ name }) => name);
}

function counts({ kind, size, path }: Entry): boolean {
  return kind === 'file' && size > 0 && !isHidden({ path });
}

function isHidden({ path }: Pick<Entry, 'path'>): boolean {
  return splitPath(path).name.startsWith('.');
}

function splitPath(path: string): { directory: string; name: string } {
  const at = path.lastIndexOf('/');
  return { directory: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) };
}

/** The reads of all flows' rules: entries of directories, and the text of files with a flag. */
export function wantedByRules(): Wanted[] {
  const predicates = Object.values(FLOWS).flatMap(({ rules }) =>
    rules.flatMap(({ all = [], any = [] }) => [...all, ...any]),
  );
  const wanted = new Map<string, Wanted>();
  const patterns = new Map<string, Set<string>>();
  for (const predicate of predicates) {
    if ('flagFalse' in predicate) {
      wanted.set(predicate.flagFalse[0], { path: predicate.flagFalse[0] });
      continue;
    }
    const pattern = 'missing' in predicate ? predicate.missing : predicate.present;
    const { directory, name } = splitPath(pattern);
    if (name.includes('*')) patterns.set(directory, (patterns.get(directory) ?? new Set()).add(name));
    else if (!wanted.has(pattern)) wanted.set(pattern, { path: pattern, text: () => false });
  }
  return [...wanted.values(), ...[...patterns].map(([path, names]) => wantedDirectory(path, [...names]))];
}

/** For one pattern, one matching file is enough. For several patterns, all names are read. */
function wantedDirectory(path: string, [name = '', ...others]: string[]): Wanted {
  const whole: Wanted = { path, depth: 1, text: () => false };
  if (others.length > 0) return whole;
  if (name !== ANY_FILE)
    return { ...whole, isEnough: (entry) => counts(entry) && fitsName(splitPath(entry.path).name, name) };
  return { ...whole, depth: DEEPEST, enters: (directory) => !isHidden({ path: directory }), isEnough: counts };
}

/** A longer text takes the parser too long. */
const LONGEST = 128 * 1024;

/** True if a YAML text has this key on its first level with the value `true`. False if it cannot be read. */
export function isFlagTrue(text: string, key: string): boolean {
  if (text.length > LONGEST || isTooNested(text)) return false;
  try {
    const document = parseDocument(text);
    return document.errors.length === 0 && document.get(key) === true;
  } catch {
    // Too many levels of nesting.
    return false;
  }
}

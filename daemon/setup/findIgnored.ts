import { readdirSync } from 'node:fs';
import { lookInside, visitInside } from '../../schemas/files/insideRoot.ts';
import { repositoryPathFault } from '../../schemas/files/repositoryPath.ts';
import { type Checkout, withIndexCopy } from '../repository/checkout/checkout.ts';
import { latin1Of, textOf } from '../repository/git/pathBytes.ts';
import { statusArgs } from '../repository/git/statusOutput.ts';
import { inParts } from '../system/inParts.ts';
import { type IgnorePattern, isSelected, leadsInto, readPattern } from './ignorePattern.ts';

/** A path that devflow does not place, and why. The reason completes a sentence that begins with the path. */
export interface Refusal {
  path: string;
  reason: string;
}

export interface FoundPaths {
  /** Relative to the checkout, without a slash at the end. */
  paths: string[];
  refused: Refusal[];
}

/** The files of a checkout that git does not track. Names have one character per byte. */
interface Untracked {
  /** A directory that is ignored as a whole is one entry, with a slash at the end. */
  ignored: string[];
  others: string[];
}

/** More single paths are a directory that should be named. */
const MOST_PATHS = 20_000;
const MOST_NAMED = 20;
const WILD = /[*?[\\]/;

/**
 * The paths of the checkout that git ignores and that each list of patterns selects. The patterns have the syntax of ignore
 * files, as `.worktreeinclude` has. In an ignored directory only patterns that name their way into it select anything: `.env`
 * finds none in `node_modules`.
 */
export async function findIgnored<Name extends string>(
  checkout: Checkout,
  lists: Readonly<Record<Name, readonly string[]>>,
): Promise<Record<Name, FoundPaths>> {
  const names = Object.keys(lists) as Name[];
  const nothing = { ignored: [], others: [] };
  const untracked = names.some((name) => lists[name].length > 0) ? await readUntracked(checkout) : nothing;
  const found: [Name, FoundPaths][] = [];
  for (const name of names) found.push([name, await select(checkout, lists[name], untracked)]);
  return Object.fromEntries(found) as Record<Name, FoundPaths>;
}

async function readUntracked(checkout: Checkout): Promise<Untracked> {
  const { stdout } = await withIndexCopy(checkout, (index) =>
    checkout.files(statusArgs('all', '--ignored=matching'), { index, bytes: true, read: true }),
  );
  const marked = (mark: string) =>
    stdout.split('\0').flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length)] : []));
  const [ignored, others] = [marked('! '), marked('? ')];
  const own = ignored.flatMap((path) => (path.endsWith(OWN_RULES) ? [path.slice(0, 1 - OWN_RULES.length)] : []));
  if (own.length === 0) return { ignored, others };
  return { ignored: await inParts(joinWhole(ignored, own, [...others, ...(await listTracked(checkout))])), others };
}

const OWN_RULES = '/.gitignore';

/**
 * git lists the files of a directory that ignores itself, such as `.venv`: uv writes a `.gitignore` into it. If git would
 * take nothing of it, it counts as ignored as a whole.
 */
function* joinWhole(
  ignored: readonly string[],
  own: readonly string[],
  kept: readonly string[],
): Generator<undefined, string[]> {
  const whole = new Set(own);
  for (const [nth, path] of kept.entries()) {
    for (const each of directoriesAbove(path)) whole.delete(each);
    if (nth % 2000 === 0) yield;
  }
  const isAlone = (path: string) => !directoriesAbove(path).some((each) => whole.has(each));
  return [...new Set([...ignored, ...whole])].filter(isAlone);
}

/** With a slash at the end, as git lists them. */
function directoriesAbove(path: string): string[] {
  const found: string[] = [];
  for (let at = path.indexOf('/'); at >= 0 && at < path.length - 1; at = path.indexOf('/', at + 1))
    found.push(path.slice(0, at + 1));
  return found;
}

/** Names have one character per byte. */
async function listTracked(checkout: Checkout): Promise<string[]> {
  // The policy refuses calls that name files with secrets, so all are listed.
  const { stdout } = await withIndexCopy(checkout, (index) =>
    checkout.files(['ls-files', '-z'], { index, bytes: true, read: true }),
  );
  return stdout.split('\0');
}

async function select(checkout: Checkout, lines: readonly string[], untracked: Untracked): Promise<FoundPaths> {
  const ignoreCase = checkout.settings.get('core.ignorecase') === 'true';
  const read = lines.map((line) => ({ line, pattern: readPattern(line, { ignoreCase }) }));
  const patterns = read.flatMap(({ pattern }) => pattern ?? []);
  if (patterns.length === 0) return { paths: [], refused: [] };
  const fold = (path: string) => (ignoreCase ? path.toLowerCase() : path);
  const paths: string[] = [];
  const refused: Refusal[] = [];
  const take = (path: string) => {
    if (latin1Of(textOf(path)) === path) paths.push(textOf(path));
    else refused.push({ path: textOf(path), reason: 'has a name that is not UTF-8' });
    return paths.length <= MOST_PATHS;
  };
  await inParts(walk(checkout.path, untracked.ignored, patterns, { fold, take }));
  if (paths.length > MOST_PATHS) {
    const reason = `select more than ${MOST_PATHS} paths: name directories`;
    return { paths: [], refused: [{ path: lines.join(' '), reason }] };
  }
  for (const { line, pattern } of read) {
    if (!pattern || pattern.negated || paths.some((path) => isHit(pattern, fold(latin1Of(path))))) continue;
    refused.push(
      ...(await whyNothing(
        checkout,
        line,
        untracked.others.filter((path) => isHit(pattern, fold(path))),
      )),
    );
  }
  return { paths, refused: refused.slice(0, MOST_NAMED) };
}

interface Walk {
  fold(path: string): string;
  /** False if it takes no more. */
  take(path: string): boolean;
}

function* walk(
  root: string,
  ignored: readonly string[],
  patterns: readonly IgnorePattern[],
  { fold, take }: Walk,
): Generator<undefined> {
  const left = [...ignored].reverse();
  for (let entry = left.pop(), nth = 1; entry !== undefined; entry = left.pop(), nth++) {
    const isDirectory = entry.endsWith('/');
    const path = isDirectory ? entry.slice(0, -1) : entry;
    const parts = fold(path).split('/');
    if (isSelected(patterns, parts, isDirectory)) {
      if (!take(path)) return;
    } else if (isDirectory && leadsInto(patterns, parts)) {
      left.push(...namesInside(root, path).map((name) => `${path}/${name}`));
    }
    if (nth % 200 === 0) yield;
  }
}

/** The names in a directory below `root`, those of directories with a slash at the end. One character per byte. */
function namesInside(root: string, path: string): string[] {
  const names: string[] = [];
  visitInside(root, textOf(path), (directory) => {
    for (const entry of readdirSync(directory, { withFileTypes: true, encoding: 'latin1' })) {
      names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
    }
  });
  return names;
}

/** True if this pattern alone selects a path, or a directory that contains it. */
function isHit(pattern: IgnorePattern, path: string): boolean {
  return isSelected([pattern], path.replace(/\/$/, '').split('/'), true);
}

/** A pattern that selects nothing is often one for a file that git tracks, or that it would commit. */
async function whyNothing(checkout: Checkout, line: string, others: readonly string[]): Promise<Refusal[]> {
  if (others.length > 0) {
    return others.slice(0, MOST_NAMED).map((path) => ({ path: textOf(path), reason: 'is not ignored by git' }));
  }
  const path = line.trim().replace(/^\/|\/$/g, '');
  if (WILD.test(path)) return [{ path: line.trim(), reason: 'matches nothing that git ignores in your checkout' }];
  const fault = repositoryPathFault(path);
  if (fault !== undefined) return [{ path, reason: fault }];
  const looked = lookInside(checkout.path, path);
  if (!looked.ok) return [{ path, reason: looked.missing ? 'is not in your checkout' : `is refused: ${looked.fault}` }];
  const { facts } = looked;
  // git does not list these.
  if (!facts.isFile() && !facts.isDirectory() && !facts.isSymbolicLink()) {
    return [{ path, reason: 'is no file, link or directory' }];
  }
  const isTracked = (await listTracked(checkout)).some((file) => `${textOf(file)}/`.startsWith(`${path}/`));
  return [{ path, reason: isTracked ? 'is tracked by git' : 'is not ignored by git' }];
}

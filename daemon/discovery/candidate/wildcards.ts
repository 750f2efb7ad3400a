import { fitsPattern } from '../../../schemas/files/fitsPattern.ts';
import type { Workspace } from '../../../schemas/repoFacts.ts';
import { directoryOf, nameOf, stepInto } from './paths.ts';
import type { ReadFile } from './reader.ts';

const MOST_PATTERNS = 100;

/** The directories with such a manifest that the patterns of a workspace name. `!x` takes directories out again. */
export function membersOf(
  { path, paths }: ReadFile,
  patterns: readonly unknown[],
  manifest = nameOf(path),
): Workspace[] {
  const root = directoryOf(path);
  const wanted: string[][] = [];
  const unwanted: string[][] = [];
  for (const pattern of patterns.slice(0, MOST_PATTERNS)) {
    if (typeof pattern !== 'string' || pattern.length > 200) continue;
    const isNegative = pattern.startsWith('!');
    const directory = stepInto(root, isNegative ? pattern.slice(1) : pattern);
    if (directory !== undefined) (isNegative ? unwanted : wanted).push(directory.split('/'));
  }
  const directories = [...paths].filter((each) => nameOf(each) === manifest).map(directoryOf);
  return directories
    .filter((each) => each !== root && !each.split('/').includes('node_modules'))
    .filter((each) => wanted.some((pattern) => fits(pattern, each.split('/'))))
    .filter((each) => !unwanted.some((pattern) => fits(pattern, each.split('/'))))
    .map((each) => ({ path: each, from: path }));
}

/** `*` stands for any letters of one part, `**` for any parts. */
function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  const deep = pattern.indexOf('**');
  if (deep < 0)
    return pattern.length === parts.length && pattern.every((each, at) => fitsPattern(parts[at] ?? '', each));
  const after = pattern.slice(deep + 1).filter((each) => each !== '**');
  if (parts.length < deep + after.length) return false;
  const tail = parts.slice(parts.length - after.length);
  return (
    pattern.slice(0, deep).every((each, at) => fitsPattern(parts[at] ?? '', each)) &&
    after.every((each, at) => fitsPattern(tail[at] ?? '', each))
  );
}

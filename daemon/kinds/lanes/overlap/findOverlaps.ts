import { type CaseRule, type CompiledGlob, compileGlob } from '../../../core/glob/compileGlob.ts';
import { matchesCompiled } from '../../../core/glob/matchesGlob.ts';
import { allBefore, dependenciesOf, type PlanTask } from '../graph/taskGraph.ts';
import { comparePatterns, pairKey } from './comparePatterns.ts';

export interface OverlapTask extends PlanTask {
  /** Normalised globs. */
  writeSet: readonly string[];
}

/** A performer has to look these up. */
export interface OverlapFacts extends CaseRule {
  /** Existing files that the globs of both tasks match: some of them, and how many there are. */
  shared: readonly { a: string; b: string; files: readonly string[]; count: number }[];
  /** Existing files of the forbidden list (`forbiddenGlobs.ts`) that the globs of one task match. */
  forbidden?: readonly { task: string; files: readonly string[] }[];
}

/** Why two tasks may get in each other's way. */
export type OverlapReason =
  /** Both may write these existing files. */
  | { kind: 'file'; files: readonly string[]; count: number }
  /** Both may write files of this entry of the forbidden list. */
  | { kind: 'forbidden'; glob: ForbiddenGlob }
  /** Some path, which need not exist, matches a glob of either. */
  | { kind: 'pattern'; globs: readonly [string, string] }
  /** devflow cannot tell whether a path matches both. */
  | { kind: 'undecided'; globs: readonly [string, string] };

/** Two tasks, in the order of the plan. */
export interface Overlap {
  a: string;
  b: string;
  reasons: OverlapReason[];
}

/** The pairs of tasks that may write the same files and that no dependency puts in order. */
export function findOverlaps(tasks: readonly OverlapTask[], facts: OverlapFacts): Overlap[] {
  const isOrdered = orderOf(tasks);
  const globs = tasks.map(({ writeSet }) => writeSet.map((glob) => compileGlob(glob, facts)));
  const files = sharedFiles(tasks, facts);
  const common = comparePatterns(globs, isOrdered);
  const listed = forbiddenOf(tasks, globs, facts);
  return tasks.flatMap(({ id }, a) =>
    tasks.slice(a + 1).flatMap((other, index): Overlap[] => {
      const b = a + 1 + index;
      if (isOrdered(a, b)) return [];
      const key = pairKey(a, b, tasks.length);
      const entries = FORBIDDEN_GLOBS.filter((glob) => listed[a]?.has(glob) && listed[b]?.has(glob));
      const reasons: OverlapReason[] = [
        files.get(key) ?? [],
        entries.map((glob) => ({ kind: 'forbidden', glob }) as const),
        common.get(key) ?? [],
      ].flat();
      return reasons.length > 0 ? [{ a: id, b: other.id, reasons }] : [];
    }),
  );
}

type IsOrdered = (a: number, b: number) => boolean;

function orderOf(tasks: readonly OverlapTask[]): IsOrdered {
  const before = dependenciesOf(tasks);
  const waits = tasks.map(({ id }) => {
    const all = allBefore(before, id);
    return tasks.map((other) => all.has(other.id));
  });
  return (a, b) => waits[a]?.[b] === true || waits[b]?.[a] === true;
}

function sharedFiles(tasks: readonly OverlapTask[], { shared }: OverlapFacts): Map<number, OverlapReason> {
  const index = new Map(tasks.map(({ id }, at) => [id, at]));
  return new Map(
    shared.flatMap(({ a, b, files, count }) => {
      const [first = -1, second = -1] = [index.get(a), index.get(b)].sort((x = -1, y = -1) => x - y);
      return count > 0 && first >= 0 ? [[pairKey(first, second, tasks.length), { kind: 'file', files, count }]] : [];
    }),
  );
}

function forbiddenOf(
  tasks: readonly OverlapTask[],
  globs: readonly (readonly CompiledGlob[])[],
  facts: OverlapFacts,
): Set<ForbiddenGlob>[] {
  const globsOf = forbiddenGlobsOf(facts);
  const existing = new Map(facts.forbidden?.map(({ task, files }) => [task, files.flatMap(globsOf)]));
  return tasks.map(({ id }, index) => {
    const named = globs[index]?.flatMap((glob) => forbiddenGlobsIn(glob, globsOf)) ?? [];
    return new Set([...named, ...(existing.get(id) ?? [])]);
  });
}

/** Two tasks must not write these at the same time, not even different files: they depend on each other. */
const FORBIDDEN_GLOBS = [
  'pnpm-lock.yaml',
  'package-lock.json',
  '**/migrations/**',
  '**/*.generated.*',
  'tsconfig*.json',
  'biome.json',
  'lefthook.yml',
  '.github/**',
  '.gitlab-ci.yml',
  '.gitattributes',
  '.gitmodules',
] as const;

type ForbiddenGlob = (typeof FORBIDDEN_GLOBS)[number];

/** Returns a function that finds the globs that forbid a path, to ask of many paths. */
function forbiddenGlobsOf(rule: CaseRule): (path: string) => ForbiddenGlob[] {
  const list = FORBIDDEN_GLOBS.map((glob) => [glob, [compileGlob(glob, rule)]] as const);
  return (path) => list.flatMap(([glob, compiled]) => (matchesCompiled(path, compiled) === 'yes' ? [glob] : []));
}

/**
 * The entries of the list that a glob is about. `src/**` is about none, although `src/migrations/x` may exist: it would be
 * at odds with every other task. `findOverlaps` gets what exists there as a fact.
 */
function forbiddenGlobsIn(glob: CompiledGlob, of: (path: string) => ForbiddenGlob[]): ForbiddenGlob[] {
  return glob.patterns.flatMap(({ sample }) => of(sample));
}

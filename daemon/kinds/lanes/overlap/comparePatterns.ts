import type { Budget } from '../../../core/glob/automaton.ts';
import type { CompiledGlob, CompiledPattern } from '../../../core/glob/compileGlob.ts';
import { areSurelyApart, patternsIntersect } from '../../../core/glob/patternsIntersect.ts';

/** Two globs with a path in common. `undecided`: perhaps there is none. */
export interface CommonGlobs {
  kind: 'pattern' | 'undecided';
  globs: readonly [string, string];
}

/** For all comparisons of a plan. Hostile globs use them up, and what is left then is undecided. */
const STEPS = 2_000_000;
const STEPS_OF_PAIR = 100_000;

interface Entry {
  task: number;
  glob: string;
  pattern: CompiledPattern;
}

/** The first common globs of each pair of tasks that `isOrdered` does not leave out, under `pairKey`. */
export function comparePatterns(
  tasks: readonly (readonly CompiledGlob[])[],
  isOrdered: (a: number, b: number) => boolean,
): Map<number, CommonGlobs> {
  const common = new Map<number, CommonGlobs>();
  const left = { steps: STEPS };
  const isDone = tasks.map((_, a) => tasks.map((__, b) => a === b || isOrdered(a, b)));
  compareLikely(entriesOf(tasks), (one, other) => {
    if (isDone[one.task]?.[other.task] === true || areSurelyApart(one.pattern, other.pattern)) return;
    const [a, b] = one.task < other.task ? [one, other] : [other, one];
    const key = pairKey(a.task, b.task, tasks.length);
    if (common.has(key) && !(a.pattern.exact && b.pattern.exact)) return;
    const answer = lend(left, (budget) => patternsIntersect(a.pattern, b.pattern, budget));
    const globs = [a.glob, b.glob] as const;
    if (answer === 'unknown' && !common.has(key)) common.set(key, { kind: 'undecided', globs });
    if (answer !== 'yes') return;
    common.set(key, { kind: 'pattern', globs });
    for (const [x, y] of [
      [a.task, b.task],
      [b.task, a.task],
    ] as const)
      (isDone[x] as boolean[])[y] = true;
  });
  return common;
}

/** The name of a pair of tasks, of which `a` comes first in the plan. */
export function pairKey(a: number, b: number, count: number): number {
  return a * count + b;
}

function lend<T>(left: Budget, use: (budget: Budget) => T): T {
  const lent = Math.min(left.steps, STEPS_OF_PAIR);
  const budget = { steps: lent };
  const result = use(budget);
  left.steps -= lent - Math.max(budget.steps, 0);
  return result;
}

function entriesOf(tasks: readonly (readonly CompiledGlob[])[]): Entry[] {
  return tasks.flatMap((globs, task) =>
    globs.flatMap(({ glob, patterns }) => patterns.map((pattern) => ({ task, glob, pattern }))),
  );
}

/**
 * Calls `compare` for each pair where one prefix begins with the other. A pattern inside a file name (`index.ts/**`) is compared
 * only with patterns whose prefix lies below that file.
 */
function compareLikely(entries: readonly Entry[], compare: (one: Entry, other: Entry) => void): void {
  const inFiles = entries.filter(({ pattern }) => pattern.inFile);
  const others = entries.filter(({ pattern }) => !pattern.inFile);
  const byPrefix = Map.groupBy(others, ({ pattern }) => pattern.prefix);
  const byFile = Map.groupBy(inFiles, ({ pattern }) => `${pattern.prefix}/`);
  const lengths = [...new Set([...byPrefix.keys(), ...byFile.keys()].map(({ length }) => length))].sort(
    (a, b) => a - b,
  );
  for (const entry of others) {
    const { prefix } = entry.pattern;
    for (const length of lengths) {
      if (length > prefix.length) break;
      const start = prefix.slice(0, length);
      for (const other of byFile.get(start) ?? []) compare(other, entry);
      for (const other of byPrefix.get(start) ?? []) {
        // Two patterns with the same prefix meet once.
        if (other === entry) break;
        compare(other, entry);
      }
    }
  }
}

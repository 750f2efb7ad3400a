import type { MergedTrees } from '../tree/mergeTrees.ts';

/**
 * The conflicting files, those of one conflict together. A rename names several, and lines may move between them. One
 * character per byte.
 */
export function conflictGroups({ stages, conflicts }: Pick<MergedTrees, 'stages' | 'conflicts'>): string[][] {
  const groups: Set<string>[] = [];
  for (const paths of [...stages.map(({ path }) => [path]), ...conflicts.map((conflict) => conflict.paths)]) {
    const joined = groups.filter((group) => paths.some((path) => group.has(path)));
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push(new Set([...joined.flatMap((group) => [...group]), ...paths]));
  }
  return groups.map((group) => [...group].sort()).sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
}

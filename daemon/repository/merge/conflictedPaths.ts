import type { MergedTrees } from '../tree/mergeTrees.ts';

/** The files that a resolution may change: those with several versions, and those that git's messages name. */
export function conflictedPaths({ stages, conflicts }: MergedTrees): string[] {
  return [...new Set([...stages.map(({ path }) => path), ...conflicts.flatMap(({ paths }) => paths)])].sort();
}

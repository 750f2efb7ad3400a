import { PARTS } from './registry.ts';
import type { Detected, Finding } from './report/report.ts';
import type { TreeSnapshot } from './report/tree.ts';
import { isoOf } from './stateDirectory/audit.ts';

/** More findings of one contract are only counted. */
const MOST_FINDINGS = 500;

/** A contract that a repository uses, with the verdict about its files. */
export interface Convention extends Detected {
  /** ISO; null if it has no file. */
  changedAt: string | null;
  errors: number;
  warnings: number;
  /** The errors, then the warnings. */
  findings: (Finding & { severity: 'error' | 'warning' })[];
}

/** Everything that a repository uses, in the order of the registry. */
export function conventionsOf(tree: TreeSnapshot, isAlive: (pid: number) => boolean): Convention[] {
  return PARTS.flatMap((part) =>
    part.detect(tree).map((detected) => {
      const reports = part.check(tree, detected.path, undefined, isAlive);
      const errors = reports.flatMap((report) => report.errors);
      const warnings = reports.flatMap((report) => report.warnings);
      const findings = [
        ...errors.map((each) => ({ ...each, severity: 'error' as const })),
        ...warnings.map((each) => ({ ...each, severity: 'warning' as const })),
      ].slice(0, MOST_FINDINGS);
      const { contract, path } = detected;
      const changedAt = changedAtOf(tree, path);
      return { contract, path, changedAt, errors: errors.length, warnings: warnings.length, findings };
    }),
  );
}

/** The newest change of a file at or below a path. A directory changes with the locks in it, so it does not count. */
function changedAtOf({ entries }: TreeSnapshot, path: string): string | null {
  let newest = Number.NEGATIVE_INFINITY;
  for (const entry of entries.values()) {
    const isOfIt = entry.path === path || entry.path.startsWith(`${path}/`);
    if (isOfIt && entry.kind === 'file' && entry.mtime > newest) newest = entry.mtime;
  }
  return newest === Number.NEGATIVE_INFINITY ? null : isoOf(newest);
}

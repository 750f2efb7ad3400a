import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '../../schemas/ids.ts';
import type { CheckResult } from './probe/check.ts';

/** Where the worktrees of lanes are. */
const LANES = 'lanes';

/** One `warn` for each run directory without a run, with its path as detail. */
export async function orphanResults(workspaceRoot: string, knownRunIds: Iterable<string>): Promise<CheckResult[]> {
  const orphans = await listOrphans(workspaceRoot, knownRunIds);
  return orphans.map(({ runId, path, entries }) => ({
    name: `orphan ${runId}`,
    status: 'warn',
    detail: path,
    remediation: `This database has no run for it (it contains: ${entries.join(', ') || 'nothing'}). Check it, then remove it yourself.`,
  }));
}

export interface Orphan {
  runId: string;
  path: string;
  /** The directories in it, with each lane. */
  entries: string[];
}

/** Run directories of a workspace root that belong to no known run. It only lists, and never removes one. */
export async function listOrphans(workspaceRoot: string, knownRunIds: Iterable<string>): Promise<Orphan[]> {
  const known = new Set(knownRunIds);
  const names = await readdir(workspaceRoot).catch(() => [] as string[]);
  const orphans: Orphan[] = [];
  for (const runId of names.filter((name) => isId(name) && !known.has(name)).sort()) {
    const path = join(workspaceRoot, runId);
    const entries = (await listDirectories(path)).filter((name) => name !== LANES);
    const lanes = (await listDirectories(join(path, LANES))).map((name) => `${LANES}/${name}`);
    orphans.push({ runId, path, entries: [...entries, ...lanes].sort() });
  }
  return orphans;
}

async function listDirectories(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

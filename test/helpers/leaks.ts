import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CLUSTERS_ELSEWHERE, readHomes } from '../../schemas/embeddedServer/clusterHomes.ts';
import type { TestRepo } from './testRepo.ts';
import { until } from './until.ts';

export interface LeftProcess {
  pid: number;
  command: string;
}

/** Processes with this directory in their command line, environment or working directory. Linux only. */
export function processesOf(root: string): LeftProcess[] {
  if (!existsSync('/proc/self')) return [];
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!(pid > 0) || pid === process.pid) return [];
    try {
      const at = join('/proc', name);
      const command = readFileSync(join(at, 'cmdline'), 'utf8').replaceAll('\0', ' ').trim();
      const facts = [command, readFileSync(join(at, 'environ'), 'utf8'), readlinkSync(join(at, 'cwd'))];
      return facts.some((fact) => fact.includes(root)) ? [{ pid, command }] : [];
    } catch {
      return [];
    }
  });
}

/** Databases outside of their homes whose home is, or was, below this directory. */
export function clustersOf(root: string, clusters = CLUSTERS_ELSEWHERE): string[] {
  if (!existsSync(clusters)) return [];
  const places = readdirSync(clusters)
    .filter((name) => name.endsWith('.home'))
    .map((name) => join(clusters, name.slice(0, -'.home'.length)));
  return places.filter((place) => readHomes(place).some((home) => home.startsWith(`${root}/`)));
}

/**
 * Those that do not end. Asks no more once nothing is there: a process in the middle of exec has no environment to
 * read, so a second look could find one that is about to end.
 */
export async function processesLeft<T>(list: () => T[]): Promise<T[]> {
  return until('every process has ended', () => list().length === 0).then(() => [], list);
}

/** What is left after the end, one sentence each. It gives processes time to end. */
export async function findLeaks(place: {
  root: string;
  /** Sockets that must not exist. */
  sockets: readonly string[];
  workspaceRoot: string;
  repos: readonly TestRepo[];
}): Promise<string[]> {
  const { root, sockets, workspaceRoot, repos } = place;
  const left = await processesLeft(() => processesOf(root));
  const leaks = left.map(({ pid, command }) => `process ${pid}: ${command}`);
  leaks.push(...clustersOf(root).map((place) => `database ${place}`));
  leaks.push(...sockets.filter((socket) => existsSync(socket)).map((socket) => `socket ${socket}`));
  for (const { dir, git } of repos) {
    const listed = git('worktree', 'list', '--porcelain').matchAll(/^worktree (.*)$/gm);
    for (const [, path = ''] of listed) {
      if (path !== dir && !path.startsWith(`${workspaceRoot}/`)) leaks.push(`worktree ${path} of ${dir}`);
    }
    const stale = git('worktree', 'prune', '--dry-run', '--verbose');
    if (stale !== '') leaks.push(`${dir}: ${stale}`);
  }
  return leaks;
}

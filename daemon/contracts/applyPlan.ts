import { basename } from 'node:path';
import type { Plan, PlannedAction } from '../../schemas/contracts/report/plan.ts';
import { childrenOf } from '../../schemas/contracts/report/tree.ts';
import { ARCHIVE_DIR } from '../../schemas/contracts/stateDirectory/contract.ts';
import {
  configuredRuns,
  type SnapshotKind,
  snapshotName,
  snapshotsToPrune,
} from '../../schemas/contracts/stateDirectory/ring.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { makeNewInside, moveInside, removeInside } from '../../schemas/files/moveInside.ts';
import { readTree } from './readTree.ts';
import { makeDirectory, WANTED_FOR_PLANS } from './stateDirectory.ts';

/**
 * Archives the files of a plan in a new directory. Each file is renamed, so it is always in exactly one of the two
 * places, even after a kill. A plan that moves nothing leaves no directory: it would push an archive out of the ring.
 */
export function applyPlan<P extends Plan>(repo: string, plan: P, kind: SnapshotKind, now: number): P {
  if (plan.actions.length === 0) return { ...plan, applied: true };
  const archivePath = makeSnapshot(repo, kind, now);
  const actions = plan.actions.map((action): PlannedAction => {
    const to = `${archivePath}/${basename(action.path)}`;
    return moveInside(repo, action.path, to).ok ? { ...action, to, status: 'done' } : { ...action, status: 'error' };
  });
  if (actions.some(({ status }) => status === 'done')) return { ...plan, applied: true, actions, archivePath };
  removeInside(repo, archivePath);
  return { ...plan, applied: true, actions };
}

/** Carries out plans one after the other, then removes the oldest snapshots. The last plan that did something names them. */
export function applyPlans<P extends Plan>(
  repo: string,
  plans: readonly (readonly [P, SnapshotKind])[],
  now: number,
  archiveRuns?: number,
): P[] {
  const applied = plans.map(([plan, kind]) => applyPlan(repo, plan, kind, now));
  const made = applied.flatMap(({ archivePath }) => archivePath ?? []);
  if (made.length === 0) return applied;
  const pruned = pruneRing(
    repo,
    made.map((path) => basename(path)),
    now,
    archiveRuns,
  );
  const last = applied.findLast(({ archivePath }) => archivePath !== null);
  return applied.map((plan) => (plan === last ? { ...plan, pruned } : plan));
}

/** A directory that nobody has used: on a collision the next free millisecond. */
function makeSnapshot(repo: string, kind: SnapshotKind, now: number): string {
  makeDirectory(repo, ARCHIVE_DIR);
  for (let time = Math.floor(now); ; time += 1) {
    const path = `${ARCHIVE_DIR}/${snapshotName(kind, time)}`;
    const made = makeNewInside(repo, path);
    if (made.ok) return path;
    if (made.code !== 'EEXIST') {
      throw new DevflowError('path_unsafe', `devflow cannot make the directory ${path}: ${made.fault}.`);
    }
  }
}

/** Removes the oldest snapshots beyond the number that the repository keeps, but none that was just made. */
function pruneRing(repo: string, justMade: readonly string[], now: number, archiveRuns?: number): string[] {
  const wanted = { path: ARCHIVE_DIR, depth: 1, text: () => false };
  const tree = readTree(repo, [...WANTED_FOR_PLANS, wanted], now);
  const names = childrenOf(tree, ARCHIVE_DIR).flatMap(({ name, kind }) => (kind === 'dir' ? [name] : []));
  const going = snapshotsToPrune(names, archiveRuns ?? configuredRuns(tree), justMade);
  return going.filter((name) => removeInside(repo, `${ARCHIVE_DIR}/${name}`).ok);
}

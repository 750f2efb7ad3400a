import { compareText } from '../../text/compareText.ts';
import { isMap, ownValue } from '../document/fields.ts';
import { readJson } from '../document/json.ts';
import { type TreeSnapshot, textOf } from '../report/tree.ts';
import { CONFIG_FILE, STATE_CONTRACT } from './contract.ts';

export const SNAPSHOT_KINDS = ['reset', 'cleanup', 'evict'] as const;
export type SnapshotKind = (typeof SNAPSHOT_KINDS)[number];

const NAME = /^(?:(cleanup|evict)-)?(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z)$/;

/** The name of a snapshot: its kind, and its time in UTC. */
export function snapshotName(kind: SnapshotKind, time: number): string {
  const stamp = new Date(time).toISOString().replaceAll(/[:.]/g, '-');
  return kind === 'reset' ? stamp : `${kind}-${stamp}`;
}

/** The parts of a name in the archive; undefined if it is no snapshot. */
export function readSnapshotName(name: string): { kind: SnapshotKind; stamp: string } | undefined {
  const [, prefix = 'reset', stamp] = NAME.exec(name) ?? [];
  return stamp === undefined ? undefined : { kind: prefix as SnapshotKind, stamp };
}

/** Snapshots by the time in their names, newest first. Foreign names are left out. */
export function newestFirst(names: readonly string[]): string[] {
  const snapshots = names.flatMap((name) => {
    const read = readSnapshotName(name);
    return read ? [{ name, stamp: read.stamp }] : [];
  });
  return snapshots.sort((a, b) => compareText(b.stamp, a.stamp) || compareText(b.name, a.name)).map(({ name }) => name);
}

/** The snapshots that must go so that `most` remain, oldest first. Those just made stay, whatever the number. */
export function snapshotsToPrune(names: readonly string[], most: number, justMade: readonly string[]): string[] {
  const others = newestFirst(names).filter((name) => !justMade.includes(name));
  return others.slice(Math.max(0, most - justMade.length)).reverse();
}

/** The number of snapshots that the repository keeps, by its own configuration. */
export function configuredRuns(tree: TreeSnapshot): number {
  const file = textOf(tree, CONFIG_FILE);
  const config = file.ok ? readJson(file.text) : undefined;
  const state = config?.ok && isMap(config.value) ? ownValue(config.value, 'state') : undefined;
  const runs = isMap(state) ? ownValue(state, 'archive_runs') : undefined;
  return Number.isSafeInteger(runs) && (runs as number) >= 0 ? (runs as number) : STATE_CONTRACT.archiveRuns;
}

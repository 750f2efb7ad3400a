import { shorten } from '../../text/phrases.ts';
import { type Finding, finding, type Mode, makeReport, notReadWhole, type Report } from '../report/report.ts';
import type { TreeSnapshot } from '../report/tree.ts';
import { BUCKETS, type Bucket } from './classify.ts';
import { STATE_CONTRACT, STATE_DIR, type StateContract } from './contract.ts';
import { contractInForce, unknownTo } from './contractInForce.ts';
import { bytesOf, isStale, type StateEntry, stateEntries } from './stateEntries.ts';

export interface AuditedEntry {
  name: string;
  size: number;
  /** ISO. */
  mtime: string;
  isDir: boolean;
  stale?: boolean;
}

export interface Audit {
  /** Null if there is none. */
  stateDir: string | null;
  /** The names that only a directory newer than the oldest contract has. */
  newerNames: string[];
  counts: Record<Bucket | 'total', number>;
  totalBytes: number;
  buckets: Record<Bucket, AuditedEntry[]>;
}

interface AuditOptions {
  staleDays?: number;
  mode?: Mode;
}

/** The bucket of everything in the state directory. */
export function auditState(
  tree: TreeSnapshot,
  { staleDays = STATE_CONTRACT.staleDays, mode = 'strict' }: AuditOptions = {},
): Report<Audit> & { parsed: Audit } {
  const found = stateEntries(tree);
  const { contract, marks } = contractInForce(tree);
  const entries = found ?? [];
  const buckets = Object.fromEntries(
    BUCKETS.map((bucket) => [
      bucket,
      entries
        .filter((entry) => entry.bucket === bucket)
        .map((entry) => audited(entry, isStale(entry, tree.now, staleDays))),
    ]),
  ) as Audit['buckets'];
  const counts = Object.fromEntries(BUCKETS.map((bucket) => [bucket, buckets[bucket].length])) as Audit['counts'];
  const parsed = {
    stateDir: found ? STATE_DIR : null,
    newerNames: marks,
    counts: { ...counts, total: entries.length },
    totalBytes: entries.reduce((sum, entry) => sum + bytesOf(entry), 0),
    buckets,
  };
  const report = makeReport({
    contract: contract.id,
    subject: STATE_DIR,
    mode,
    findings: found
      ? [
          ...notReadWhole(tree),
          ...entries.flatMap((entry) => findingsOf(entry, { contract, now: tree.now, staleDays })),
        ]
      : [missingDirectory(tree)],
    parsed,
  });
  return { ...report, parsed };
}

/** Says that there is no state directory. */
export function missingDirectory({ entries }: TreeSnapshot): Finding {
  const kind = entries.get(STATE_DIR)?.kind;
  const what = kind === 'link' ? 'is a symbolic link, which is not followed' : 'is no directory';
  const message = kind === undefined ? `There is no ${STATE_DIR}.` : `${STATE_DIR} ${what}.`;
  return finding('STATE_DIR_MISSING', message, { path: STATE_DIR });
}

function findingsOf(
  entry: StateEntry,
  { contract, now, staleDays }: { contract: StateContract; now: number; staleDays: number },
): Finding[] {
  const { name, path, kind, bucket, mtime } = entry;
  const found: Finding[] = [];
  if (kind === 'link') {
    found.push(finding('STATE_SYMLINK', `${shorten(name)} is a symbolic link. It is not followed.`, { path }));
  }
  if (bucket === 'ad_hoc') {
    const what = kind === 'dir' ? 'directory' : 'name';
    found.push(finding('STATE_AD_HOC', `The ${what} ${shorten(name)} ${unknownTo(entry, contract)}`, { path }));
  }
  if (bucket === 'ephemeral') {
    found.push(finding('STATE_EPHEMERAL', `${shorten(name)} is left over from a write or an editor.`, { path }));
  }
  if (isStale(entry, now, staleDays)) {
    const since = isoOf(mtime).slice(0, 10);
    found.push(finding('STATE_STALE', `${shorten(name)} is of ${since}, more than ${staleDays} days old.`, { path }));
  }
  return found;
}

function audited(entry: StateEntry, stale: boolean): AuditedEntry {
  const { name, mtime, kind } = entry;
  return { name, size: bytesOf(entry), mtime: isoOf(mtime), isDir: kind === 'dir', ...(stale ? { stale } : {}) };
}

/** A time as ISO. A file system can hold times that no date has. */
export function isoOf(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

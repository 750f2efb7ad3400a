import { makePlan, type Plan } from '../report/plan.ts';
import type { TreeSnapshot } from '../report/tree.ts';
import { isResetExempt } from './classify.ts';
import { DAY_MS, STATE_CONTRACT, STATE_DIR, type StateContract } from './contract.ts';
import { contractInForce } from './contractInForce.ts';
import { bytesOf, isStale, type StateEntry, stateEntries } from './stateEntries.ts';

export interface CleanupOptions {
  staleDays?: number;
  /** Younger ad hoc entries stay. */
  adHocStaleDays?: number;
  /** Milliseconds since 1970: what is older goes, in both buckets. It replaces both numbers of days. */
  cutoff?: number;
  /** Ad hoc entries stay, whatever their age. */
  sparesAdHoc?: boolean;
}

type Reasoned = readonly [entry: StateEntry, reason: string];

/** A plan that archives entries of the state directory. */
export function archivePlan(taken: readonly Reasoned[], { id }: StateContract): Plan {
  const actions = taken.map(([entry, reason]) => {
    return { action: 'archive' as const, path: entry.path, reason, bytes: bytesOf(entry) };
  });
  return makePlan(id, STATE_DIR, actions);
}

/** A cleanup archives leftovers, foreign files, and old slug variants. Never a canonical file. */
export function planCleanup(tree: TreeSnapshot, options: CleanupOptions = {}): Plan {
  const taken = (stateEntries(tree) ?? []).flatMap((entry): Reasoned[] => {
    const reason = cleanupReason(entry, tree.now, options);
    return reason === undefined ? [] : [[entry, reason]];
  });
  return archivePlan(taken, contractInForce(tree).contract);
}

/** A reset archives everything but the exempt names, which the plan lists. */
export function planReset(tree: TreeSnapshot): Plan {
  const entries = stateEntries(tree) ?? [];
  const { contract } = contractInForce(tree);
  const taken = entries.filter(({ name }) => !isResetExempt(name, contract));
  const kept = entries.filter(({ name }) => isResetExempt(name, contract)).map(({ name }) => name);
  const reasoned = taken.map((entry): Reasoned => [entry, entry.bucket]);
  return { ...archivePlan(reasoned, contract), kept };
}

function cleanupReason(entry: StateEntry, now: number, options: CleanupOptions): string | undefined {
  const { staleDays = STATE_CONTRACT.staleDays, adHocStaleDays = 0, cutoff, sparesAdHoc } = options;
  const { bucket, mtime } = entry;
  if (bucket === 'ephemeral') return 'ephemeral';
  if (bucket === 'ad_hoc' && sparesAdHoc) return undefined;
  if (bucket === 'ad_hoc') {
    const isSpared =
      cutoff === undefined ? adHocStaleDays > 0 && now - mtime < adHocStaleDays * DAY_MS : mtime >= cutoff;
    return isSpared ? undefined : 'ad_hoc';
  }
  const isOld = cutoff === undefined ? isStale(entry, now, staleDays) : mtime < cutoff;
  return bucket === 'pattern_allowed' && isOld ? 'stale_pattern_allowed' : undefined;
}

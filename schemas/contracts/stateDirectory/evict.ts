import type { Plan } from '../report/plan.ts';
import { type Finding, finding } from '../report/report.ts';
import type { TreeSnapshot } from '../report/tree.ts';
import { missingDirectory } from './audit.ts';
import { STATE_CONTRACTS, WORKFLOW_FILE } from './contract.ts';
import { contractInForce } from './contractInForce.ts';
import { archivePlan, planCleanup } from './plans.ts';
import { type StateEntry, stateEntries } from './stateEntries.ts';
import { readWorkflow, timeOf } from './workflowFile.ts';

const RULES = new Map(
  STATE_CONTRACTS.map((contract) => {
    const { always, beforeAnchor, beforeAnchorPatterns, sparesActive } = contract.evict;
    const variants = beforeAnchorPatterns.map((pattern) => new RegExp(pattern));
    return [contract, { markers: new Set(always), scoped: new Set(beforeAnchor), variants, sparesActive }];
  }),
);
type EvictRules = Parameters<(typeof RULES)['set']>[1];

/** The files that the next workflow must not find: gate markers, and results from before the session. */
export function planEvict(tree: TreeSnapshot): Plan & { warnings: Finding[] } {
  const entries = stateEntries(tree);
  const { contract } = contractInForce(tree);
  if (!entries) return { ...archivePlan([], contract), warnings: [missingDirectory(tree)] };
  const values = readWorkflow(tree)?.values;
  const anchor = timeOf(values?.get('first_created_at'));
  const rules = RULES.get(contract) as EvictRules;
  const sparesMarkers = rules.sparesActive && values?.get('active') === true;
  const taken = entries.flatMap((entry): [StateEntry, string][] => {
    const reason = evictReason(entry, rules, { anchor, sparesMarkers });
    return reason === undefined ? [] : [[entry, reason]];
  });
  return { ...archivePlan(taken, contract), warnings: anchor === undefined ? [noAnchor()] : [] };
}

function evictReason(
  { name, kind, mtime }: StateEntry,
  { markers, scoped, variants }: EvictRules,
  { anchor, sparesMarkers }: { anchor: number | undefined; sparesMarkers: boolean },
): string | undefined {
  if (kind !== 'file') return undefined;
  const isOld = anchor !== undefined && mtime < anchor;
  if (markers.has(name) && (isOld || anchor === undefined || !sparesMarkers)) return 'gate_marker';
  if (!isOld) return undefined;
  if (scoped.has(name)) return 'workflow_scoped';
  return variants.some((pattern) => pattern.test(name)) ? 'slug_variant' : undefined;
}

function noAnchor(): Finding {
  const message = 'workflow.yaml has no first_created_at that can be read, so only gate markers are evicted.';
  return finding('STATE_NO_ANCHOR', message, { path: WORKFLOW_FILE, field: 'first_created_at' });
}

/** The removals before a new workflow begins: first the eviction, then a cleanup of the rest. */
export function planInit(tree: TreeSnapshot): { evict: Plan; cleanup: Plan } {
  const evict = planEvict(tree);
  const evicted = new Set(evict.actions.map(({ path }) => path));
  const rest = new Map([...tree.entries].filter(([path]) => !evicted.has(path)));
  // The start of the workflow before this one says what is old. Without it, a day does.
  const cutoff = timeOf(readWorkflow(tree)?.values.get('created_at'));
  const sparesAdHoc = !contractInForce(tree).contract.initSweepsAdHoc;
  const cleanup = planCleanup({ ...tree, entries: rest }, { staleDays: 1, adHocStaleDays: 1, cutoff, sparesAdHoc });
  return { evict, cleanup };
}

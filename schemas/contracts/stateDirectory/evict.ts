import type { Plan } from '../report/plan.ts';
import { type Finding, finding } from '../report/report.ts';
import type { TreeSnapshot } from '../report/tree.ts';
import { missingDirectory } from './audit.ts';
import { STATE_CONTRACT, WORKFLOW_FILE } from './contract.ts';
import { archivePlan } from './plans.ts';
import { type StateEntry, stateEntries } from './stateEntries.ts';
import { readWorkflow, timeOf } from './workflowFile.ts';

const { always, beforeAnchor, beforeAnchorPatterns } = STATE_CONTRACT.evict;
const MARKERS = new Set(always);
const SCOPED = new Set(beforeAnchor);
const VARIANTS = beforeAnchorPatterns.map((pattern) => new RegExp(pattern));

/** What the next workflow must not find: gate markers, and results from before the session. Only files are evicted. */
export function planEvict(tree: TreeSnapshot): Plan & { warnings: Finding[] } {
  const entries = stateEntries(tree);
  if (!entries) return { ...archivePlan([]), warnings: [missingDirectory(tree)] };
  const anchor = timeOf(readWorkflow(tree)?.values.get('first_created_at'));
  const taken = entries.flatMap((entry): [StateEntry, string][] => {
    const reason = evictReason(entry, anchor);
    return reason === undefined ? [] : [[entry, reason]];
  });
  return { ...archivePlan(taken), warnings: anchor === undefined ? [noAnchor()] : [] };
}

function evictReason({ name, kind, mtime }: StateEntry, anchor: number | undefined): string | undefined {
  if (kind !== 'file') return undefined;
  if (MARKERS.has(name)) return 'gate_marker';
  if (anchor === undefined || mtime >= anchor) return undefined;
  if (SCOPED.has(name)) return 'workflow_scoped';
  return VARIANTS.some((pattern) => pattern.test(name)) ? 'slug_variant' : undefined;
}

function noAnchor(): Finding {
  const message = 'workflow.yaml has no first_created_at that can be read, so only gate markers are evicted.';
  return finding('STATE_NO_ANCHOR', message, { path: WORKFLOW_FILE, field: 'first_created_at' });
}

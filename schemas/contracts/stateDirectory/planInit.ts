import type { Plan } from '../report/plan.ts';
import type { TreeSnapshot } from '../report/tree.ts';
import { contractInForce } from './contractInForce.ts';
import { planEvict } from './evict.ts';
import { planCleanup } from './plans.ts';
import { readWorkflow, timeOf } from './workflowFile.ts';

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

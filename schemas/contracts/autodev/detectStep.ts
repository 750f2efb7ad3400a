import { countsCycles } from './checkPointer.ts';
import { FLOWS, type Rule, stepName } from './flows.ts';
import type { FlowName } from './pointer.ts';
import { type FlowRule, resolveFlow, type Workspace } from './resolveFlow.ts';
import { highestCycle, holds } from './scan.ts';

/** Where the folders say that the work stands. */
export interface Detection {
  flow: FlowName;
  flowRule: FlowRule;
  step: number;
  name: string;
  rule: string;
  /** A person's decision here; null if nobody has to decide. */
  gate: string | null;
  /** The first and the last step that the folders do not contradict. */
  allows: number[];
  cycle: number;
}

/** The step that the folders show. Without a flow it is chosen; without a cycle the highest one counts. */
export function detectStep(workspace: Workspace, given: { flow?: FlowName; cycle?: number } = {}): Detection {
  const { tree } = workspace;
  const { flow, flowRule } =
    given.flow === undefined ? resolveFlow(workspace) : { flow: given.flow, flowRule: 'given' as const };
  const cycle = countsCycles(flow) ? (given.cycle ?? highestCycle(tree)) : 1;
  const matches = ({ all = [], any }: Rule) =>
    all.every((each) => holds(each, tree, cycle)) && (any?.some((each) => holds(each, tree, cycle)) ?? true);
  // The last rule of each flow asks nothing.
  const rule = FLOWS[flow].rules.find(matches) as Rule;
  const { id, step, gate = null, allows } = rule;
  return { flow, flowRule, step, name: stepName(flow, step) as string, rule: id, gate, allows, cycle };
}

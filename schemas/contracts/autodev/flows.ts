import flows from './flows@1.json' with { type: 'json' };
import type { FlowName, Pointer } from './pointer.ts';

/** The conditions of a rule on the folders. There are no others. */
export type Predicate = { missing: string } | { present: string } | { flagFalse: [file: string, key: string] };

/** The first rule that holds gives the step. */
export interface Rule {
  id: string;
  step: number;
  /** A person decides here before the flow goes on. */
  gate?: string;
  /** The first and the last step that a pointer may name while this rule holds. One past the last step is `done`. */
  allows: number[];
  all?: Predicate[];
  any?: Predicate[];
}

/** Where a session ends before the next step begins. */
export interface FlowBoundary {
  completed: string;
  next: string;
  /** The flow asks something else here than the shared question. */
  override?: string;
}

export interface Flow {
  steps: string[];
  optional: number[];
  boundaries: Record<string, FlowBoundary>;
  afterLast: 'done' | { step: number; cycle?: string };
  /** Skills that keep a state file of their own, by step. */
  internalState?: Record<string, { file: string; field: string }>;
  rules: Rule[];
}

/** The steps, boundaries and rules of each flow. A published file of data never changes. */
export const FLOWS = flows as unknown as Readonly<Record<FlowName, Flow>>;

/** The flow in which a repository goes on after the end of another. */
const FLOW_AFTER: Readonly<Partial<Record<FlowName, FlowName>>> = { greenfield: 'existing-code' };

/** The flow that follows a pointer at the end of its own; undefined if there is none. */
export function flowAfter({ flow, step }: Pick<Pointer, 'flow' | 'step'>): FlowName | undefined {
  return step === 'done' ? FLOW_AFTER[flow] : undefined;
}

/** The name of a step in the table of its flow; undefined if it has no such step. */
export function stepName(flow: FlowName, step: Pointer['step']): string | undefined {
  return step === 'done' ? 'Done' : FLOWS[flow].steps[step - 1];
}

/** The place of a step in its flow. `done` comes after the last one. */
export function ordinalOf(flow: FlowName, step: Pointer['step']): number {
  return step === 'done' ? FLOWS[flow].steps.length + 1 : step;
}

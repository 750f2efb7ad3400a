/** The flows, without their data, for those that only check a name. */
export const FLOW_NAMES = ['greenfield', 'existing-code', 'meta-repo'] as const;

export type FlowName = (typeof FLOW_NAMES)[number];

export function isFlowName(text: string): text is FlowName {
  return (FLOW_NAMES as readonly string[]).includes(text);
}

export const POINTER_FILE = '_docs/_autodev_state.md';
export const POINTER_CONTRACT = 'autodev/state@1';

export const STATUSES = ['not_started', 'in_progress', 'completed', 'skipped', 'failed'] as const;
export type Status = (typeof STATUSES)[number];

/** After so many failed retries a person decides. */
export const MOST_RETRIES = 3;

/** The phase inside a step. Its skill names it. */
export interface SubStep {
  phase: number;
  name: string;
  detail: string;
}

/** Where the work of a repository stands. The names are those of the file. */
export interface Pointer {
  flow: FlowName;
  step: number | 'done';
  name: string;
  status: Status;
  sub_step: SubStep;
  retry_count: number;
  cycle: number;
}

/** A pointer as it was read: what is missing is null, and what is no number stays a text. */
export interface ReadPointer {
  flow: string | null;
  step: number | string | null;
  name: string | null;
  status: string | null;
  sub_step: { phase: number | string | null; name: string | null; detail: string } | null;
  retry_count: number | string | null;
  cycle: number | string | null;
}

/** The name of phase 0: the skill was chosen and has not begun. No other phase has it. */
export const AWAITING = 'awaiting-invocation';

export function awaitingInvocation(): SubStep {
  return { phase: 0, name: AWAITING, detail: '' };
}

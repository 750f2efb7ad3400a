import type { ApprovalDecisionAction } from './enums.ts';

/** The consequence of each decision at one of devflow's own gates; null if the gate does not take it. */
export type Consequences = Readonly<Record<Exclude<ApprovalDecisionAction, 'abort'>, string | null>>;

/** The consequences may depend on the gate's subject. */
export type OwnGateRule = Consequences | ((subject: Readonly<Record<string, unknown>>) => Consequences);

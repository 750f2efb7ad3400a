import type { ApprovalDecisionAction } from './enums.ts';

/** What a decision does at one of devflow's own gates; null if the gate does not take it. */
export type Consequences = Readonly<Record<Exclude<ApprovalDecisionAction, 'abort'>, string | null>>;

/** What it does can depend on what the gate is about. */
export type OwnGateRule = Consequences | ((subject: Readonly<Record<string, unknown>>) => Consequences);

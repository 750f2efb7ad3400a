import type { ApprovalDecisionAction, GateKind } from '../enums.ts';
import { gateName, gateWords } from '../gates/gateWords.ts';
import { ABORT_DETAIL } from './gate.ts';

interface Decided {
  runId: string;
  gateKey: string;
  kind: GateKind;
  phaseKey: string | null;
  assignment: string | null;
  laneId: string | null;
  attempt: number;
  consequences?: Partial<Record<ApprovalDecisionAction, string>> | undefined;
  /** The page of the gate, which says more. A daemon of an older version has none. */
  sheet?: { leadsTo: readonly { action: ApprovalDecisionAction; sentence: string }[] } | undefined;
}

const DECIDED = {
  approve: 'Approved',
  request_changes: 'Changes requested',
  reject: 'Rejected',
  abort: 'Aborted',
} as const satisfies Readonly<Record<ApprovalDecisionAction, string>>;

/** A decision and what follows from it, for the person who took it. `created`: this call took it. */
export function decidedSentence(
  gate: Decided,
  { action, created }: { action: ApprovalDecisionAction; created: boolean },
): string {
  const run = `run ${gate.runId.slice(0, 8)}`;
  const decided = DECIDED[action];
  // What followed then is over, and the run may be elsewhere by now.
  if (!created) return `${decided} already: ${gateName(gate)} of ${run}. Nothing new follows.`;
  if (action === 'abort') return `${decided}: ${run}. ${ABORT_DETAIL}`;
  const found = gate.sheet?.leadsTo.find((each) => each.action === action);
  const follows = found?.sentence ?? gate.consequences?.[action] ?? defaultOf(gate, action);
  return `${decided}: ${gateName(gate)} of ${run}. ${follows}`;
}

function defaultOf(gate: Decided, action: Exclude<ApprovalDecisionAction, 'abort'>): string {
  const { approved, rejected } = gateWords(gate);
  switch (action) {
    case 'approve':
      return asSentence(approved(gate.attempt + 1));
    case 'request_changes':
      return 'The work starts again, with your comment.';
    case 'reject':
      return asSentence(rejected);
    default:
      return action satisfies never;
  }
}

function asSentence(words: string): string {
  // The name of the program stays in lower case.
  const isName = words.startsWith('devflow');
  return `${isName ? words : words.charAt(0).toUpperCase() + words.slice(1)}.`;
}

import { blocksRun } from '../../../schemas/gates/gateKinds.ts';
import { isTerminal } from '../../../schemas/names.ts';
import type { ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import type { SessionSummary, StallView } from '../../../schemas/rpc/views/session.ts';
import { PAUSED, PENDING, RUNS, SESSIONS } from '../../model/listQueries.ts';
import type { Model } from '../../model/model.ts';
import { answerOf, query } from '../../model/query.ts';
import { waitsForPerson } from '../../text/sessionWords.ts';
import { waitingGates } from '../decisions/waitingGates.ts';
import { runsById } from '../runs/allRuns.ts';

/** An item that waits for a person: a gate to decide, or an agent to answer in its pane. */
export type ApprovalsItem =
  | { readonly kind: 'gate'; readonly gate: ApprovalSummary; readonly run: RunSummary | undefined }
  | {
      readonly kind: 'agent';
      readonly session: SessionSummary;
      readonly stall: StallView;
      readonly run: RunSummary | undefined;
    };

/** The list of decisions reads this many of the newest gates. */
export const DECIDED_LIMIT = 200;
const DECIDED = query('approval.list', { all: true, limit: DECIDED_LIMIT });

export const WAITING_QUERIES = [PENDING, PAUSED, RUNS, SESSIONS] as const;
export const DECIDED_QUERIES = [DECIDED, RUNS] as const;

/** Gates before agents; in both, the longest wait first. */
export function waitingItems(model: Model): ApprovalsItem[] {
  const runs = runsById(model);
  const gates = waitingGates(model).map((gate): ApprovalsItem => ({ kind: 'gate', gate, run: runs.get(gate.runId) }));
  const agents = (answerOf(model.data, SESSIONS) ?? [])
    .flatMap((session): Extract<ApprovalsItem, { kind: 'agent' }>[] => {
      const { stall, runId } = session;
      const run = runs.get(runId);
      const isOpen = run !== undefined && !isTerminal(run.state);
      return isOpen && waitsForPerson(stall) ? [{ kind: 'agent', session, stall, run }] : [];
    })
    .sort((a, b) => a.stall.since.localeCompare(b.stall.since));
  return [...gates, ...agents];
}

/** Newest first. */
export function decidedItems(model: Model): ApprovalsItem[] {
  const runs = runsById(model);
  const gates = (answerOf(model.data, DECIDED) ?? []).filter(blocksRun);
  const decided = gates.filter(({ state }) => state !== 'pending' && state !== 'paused');
  return decided
    .sort((a, b) => (b.resolvedAt ?? b.createdAt).localeCompare(a.resolvedAt ?? a.createdAt))
    .map((gate) => ({ kind: 'gate', gate, run: runs.get(gate.runId) }));
}

export function isLoaded(model: Model, decided: boolean): boolean {
  return answerOf(model.data, decided ? DECIDED : PENDING) !== undefined;
}

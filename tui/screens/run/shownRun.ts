import { blocksRun } from '../../../schemas/gates/gateKinds.ts';
import type { ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';
import type { Model, Size } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';
import { answerOf, type QueryOf, query } from '../../model/query.ts';
import { waitsForPerson } from '../../text/sessionWords.ts';
import { bodySize } from '../../widgets/bodySize.ts';
import { runHeader } from './runHeader.ts';

export type SectionId =
  | 'overview'
  | 'lanes'
  | 'findings'
  | 'handovers'
  | 'iterations'
  | 'events'
  | 'artifacts'
  | 'commands'
  | 'changes'
  | 'report';

/** One item of a section, open in full over it. */
export interface Opened {
  readonly kind: 'event' | 'artifact' | 'command' | 'finding' | 'handover' | 'iteration';
  readonly id: string;
}

export const runState = screenState<{ section: SectionId; opened: Opened | undefined; asWritten: boolean }>('run', {
  section: 'overview',
  opened: undefined,
  asWritten: false,
});

export function shownRunId(model: Model): string {
  return model.place.id ?? '';
}

export function runQuery(model: Model): QueryOf<'run.get'> {
  return query('run.get', { runId: shownRunId(model) });
}

/** The run that the screen shows. */
export function shownRun(model: Model): RunDetail | undefined {
  return answerOf(model.data, runQuery(model));
}

/** The room below the header. */
export function sectionSize(model: Model): Size {
  const { columns, rows } = bodySize(model);
  const run = shownRun(model);
  const head = run ? runHeader(run, model.now, columns).length + 1 : 1;
  return { columns, rows: Math.max(1, rows - head) };
}

export function pendingGate(run: RunDetail | undefined): ApprovalSummary | undefined {
  return run?.approvals.find((gate) => blocksRun(gate) && gate.state === 'pending');
}

/** The session to show: one that waits for a person, else a busy one, else the newest open one. */
export function defaultSession(run: Pick<RunDetail, 'sessions'> | undefined): SessionSummary | undefined {
  const { sessions = [] } = run ?? {};
  return (
    sessions.find(({ stall }) => waitsForPerson(stall)) ??
    sessions.find(({ state }) => state === 'FAILED_NEEDS_HUMAN') ??
    sessions.findLast(({ state }) => state === 'BUSY' || state === 'BOOTSTRAPPING') ??
    sessions.findLast(({ state }) => state !== 'ENDED') ??
    sessions.at(-1)
  );
}

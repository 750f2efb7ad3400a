import type { SessionState } from '../../../schemas/enums.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { stallSentence } from '../../../schemas/states/stall.ts';
import { evolve } from '../../engine/core/evolve/evolve.ts';
import type { Run } from '../../engine/core/run/state.ts';
import { type AgentSlots, slotSentence } from '../../engine/local/agentSlots.ts';
import type { AgentStall } from '../../sessions/contract/adapter.ts';
import type { SessionManager } from '../../sessions/manager.ts';
import type { RunLog } from '../../store/runLog.ts';
import type { SessionRow } from '../../store/sessions.ts';
import { shownStateOfRow } from './sessionSummary.ts';

/** Why a session has its state: the recorded state, the signals behind it, and what a person can do. */
export async function whyOf(
  row: SessionRow,
  parts: {
    manager: Pick<SessionManager, 'why' | 'stallOf'>;
    runLog: Pick<RunLog, 'readEvents'>;
    agentSlots: Pick<AgentSlots, 'listWaiting' | 'counts'>;
  },
): Promise<RpcResult<'session.why'>> {
  const { manager, runLog, agentSlots } = parts;
  const { verdict, rule, signals } = await manager.why(row.id);
  const change = await readLastChange(runLog, row.runId, row.id);
  const seen = signals.map(({ at, source, fact }) => ({
    at: at.toISOString(),
    signal: source,
    detail: fact,
    state: null,
  }));
  const recorded = change && { at: change.ts, signal: 'event', detail: change.type, state: change.state };
  // An adapter with rules reports the present; signals of others may be older than the event.
  const isOlder = change && !signals.some(({ at, source }) => source === 'rule' || at.toISOString() > change.ts);
  const said = isOlder
    ? `The run's log says ${change.type}, and no newer signal contradicts it.`
    : `The signals say ${verdict}: ${rule.replace(/\.$/, '')}.`;
  const slot = agentSlots.listWaiting(row.runId).includes(row.id)
    ? [`It waits for ${slotSentence(agentSlots.counts())}.`]
    : [];
  return {
    sessionId: row.id,
    state: shownStateOfRow(row),
    since: change?.ts ?? null,
    sentence: [...slot, ...stallOf(row, manager.stallOf(row.id)), said].join(' '),
    signals: [...seen, ...(recorded ? [recorded] : [])].sort((a, b) => a.at.localeCompare(b.at)),
  };
}

function stallOf(row: SessionRow, stall: AgentStall | undefined): string[] {
  if (!stall) return [];
  const { cause, detail, until } = stall;
  return [`${stallSentence({ ...row, stall: { cause, detail, until: until?.toISOString() ?? null } })}.`];
}

const PAGE = 1_000;

/** The event that brought the session to its state: it folds the log again, as the engine did. */
async function readLastChange(
  { readEvents }: Pick<RunLog, 'readEvents'>,
  runId: string,
  sessionId: string,
): Promise<{ ts: string; type: string; state: SessionState } | undefined> {
  let run: Run | undefined;
  let change: { ts: string; type: string; state: SessionState } | undefined;
  for (;;) {
    const page = await readEvents(runId, run?.lastSeq ?? 0, PAGE);
    for (const event of page) {
      run = evolve(run, event);
      const state = run.sessions.find(({ id }) => id === sessionId)?.state;
      if (state !== undefined && state !== change?.state) change = { ts: event.ts, type: event.type, state };
    }
    if (page.length < PAGE) return change;
  }
}

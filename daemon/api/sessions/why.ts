import { isTerminal, type SessionState } from '../../../schemas/enums.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { stallSentence } from '../../../schemas/states/stall.ts';
import { evolve } from '../../core/evolve/evolve.ts';
import { ledPhaseOf } from '../../core/run/led.ts';
import { isAtWork, openGates, sessionOf, stallThatCounts } from '../../core/run/query.ts';
import type { Run, Session } from '../../core/run/state.ts';
import { type AgentSlots, slotSentence } from '../../engine/local/agentSlots.ts';
import type { SessionManager } from '../../sessions/manager.ts';
import type { RunLog } from '../../store/runLog.ts';
import type { SessionRow } from '../../store/sessions.ts';
import { shownStateOfRow } from './sessionSummary.ts';

/** The explanation of a session's state: the recorded state, the signals behind it, and the actions for a person. */
export async function whyOf(
  row: SessionRow,
  parts: {
    manager: Pick<SessionManager, 'why' | 'stallOf'>;
    runLog: Pick<RunLog, 'readEvents'>;
    agentSlots: Pick<AgentSlots, 'listWaiting' | 'counts'>;
  },
): Promise<RpcResult<'session.why'>> {
  const { manager, runLog, agentSlots } = parts;
  const { run, change } = await readLastChange(runLog, row.runId, row.id);
  const session = run && sessionOf(run, row.id);
  const { verdict, rule, signals } = await manager.why(row.id, { isAtWork: !session || isAtWork(session) });
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
    sentence: [...slot, ...(session ? expected(run, session) : []), ...stallOf(row, session, manager), said].join(' '),
    signals: [...seen, ...(recorded ? [recorded] : [])].sort((a, b) => a.at.localeCompare(b.at)),
  };
}

/** The run's expectations of an agent that is at rest. */
function expected(run: Run, session: Session): string[] {
  if (session.state !== 'READY' || isTerminal(run.state)) return [];
  if (ledPhaseOf(run, session.id)) return ['You lead it, by messages and in its pane.'];
  const own = run.phases.flatMap((phase) =>
    phase.assignments.filter(({ sessionId }) => sessionId === session.id).map(({ status }) => ({ phase, status })),
  );
  if (own.some(({ status }) => status === 'to_prompt')) return ['Its next prompt is due.'];
  const done = own.findLast(({ status }) => status === 'validated');
  const gates = openGates(run).filter(({ phaseId }) => phaseId === done?.phase.id);
  if (gates.length === 0) return ['It has no work now.'];
  return [
    `Its artifact is valid; the run waits for your decision at ${gates.map(({ gateKey }) => gateKey).join(', ')}.`,
  ];
}

function stallOf(row: SessionRow, session: Session | undefined, manager: Pick<SessionManager, 'stallOf'>): string[] {
  // The log knows that an agent which a person leads only rests.
  if (session?.stall?.cause === 'turn_over') return [`${stallSentence({ ...row, stall: session.stall })}.`];
  const reported = manager.stallOf(row.id);
  const stall = reported && session ? stallThatCounts(session, reported) : reported;
  if (!stall) return [];
  const { cause, detail, until } = stall;
  return [`${stallSentence({ ...row, stall: { cause, detail, until: until?.toISOString() ?? null } })}.`];
}

const PAGE = 1_000;

/** The run, and the event that brought the session to its state. It folds the log again, as the engine did. */
async function readLastChange(
  { readEvents }: Pick<RunLog, 'readEvents'>,
  runId: string,
  sessionId: string,
): Promise<{ run?: Run; change?: { ts: string; type: string; state: SessionState } }> {
  let run: Run | undefined;
  let change: { ts: string; type: string; state: SessionState } | undefined;
  for (;;) {
    const page = await readEvents(runId, run?.lastSeq ?? 0, PAGE);
    for (const event of page) {
      run = evolve(run, event);
      const state = run.sessions.find(({ id }) => id === sessionId)?.state;
      if (state !== undefined && state !== change?.state) change = { ts: event.ts, type: event.type, state };
    }
    if (page.length < PAGE) return { run, change };
  }
}

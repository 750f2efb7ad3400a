import { hasEndedLane } from '../../core/run/lanes.ts';
import { currentPhase, isUndecided } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import type { Transition } from '../../core/transition.ts';
import type { Commit } from '../../events/bus.ts';

/**
 * The changes of a commit, for listeners. Unchanged parts of a run are shared, so a comparison by identity is enough.
 */
export function commitOf(before: Run | undefined, { run, events }: Transition): Commit {
  const moved =
    before?.state !== run.state ||
    before.applied !== run.applied ||
    currentPhase(before)?.id !== currentPhase(run)?.id ||
    // No row changes, but now the run needs a person.
    events.some(({ type }) => type === 'approval.rule_checked');
  return {
    runId: run.id,
    events,
    changes: {
      ...(moved ? { run: { state: run.state, currentPhase: currentPhase(run)?.key ?? null } } : {}),
      phases: run.phases
        .filter((phase) =>
          differs(before?.phases, phase, (old) => old.state !== phase.state || old.attempts !== phase.attempts),
        )
        .map(({ id, key, state, attempts }) => ({ phaseId: id, key, state, attempts })),
      approvals: run.approvals
        .filter((approval) => differs(before?.approvals, approval, (old) => old.state !== approval.state))
        .map(({ id, gateKey, phaseKey, state, decision }) => ({
          approvalId: id,
          gateKey,
          phaseKey,
          state,
          created: before ? !before.approvals.some((old) => old.id === id) : isUndecided({ state }),
          action: decision?.action ?? null,
        })),
      sessions: run.sessions
        .filter(
          (session) =>
            differs(before?.sessions, session, (old) => old.state !== session.state || old.stall !== session.stall) ||
            (before && hasEndedLane(run, session) && !hasEndedLane(before, session)),
        )
        .map((session) => {
          const { id: sessionId, roleId, state } = session;
          return { sessionId, roleId, state: hasEndedLane(run, session) ? 'ENDED' : state };
        }),
      messages: changedMessages(before, run),
    },
  };
}

function changedMessages(before: Run | undefined, run: Run): string[] {
  if (before?.messages === run.messages) return [];
  const known = new Set(before?.messages);
  return [...new Set(run.messages.filter((each) => !known.has(each)).map(({ sessionId }) => sessionId))];
}

function differs<T extends { id: string }>(old: T[] | undefined, now: T, changed: (old: T) => boolean): boolean {
  const then = old?.find((candidate) => candidate.id === now.id);
  return !then || (then !== now && changed(then));
}

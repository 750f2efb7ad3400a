import type { Review } from '../../kinds/review/state.ts';
import { probesDecided } from '../../kinds/step/probeGate.ts';
import { publishEffects } from '../exchange/publish.ts';
import { continuesConversation } from '../run/boundary.ts';
import { currentPhase, isDue, openGates, recoveriesUsed } from '../run/query.ts';
import type { Assignment, Dag, Phase, Run } from '../run/state.ts';

/**
 * What the future of a run depends on. Of phases that have ended only what later ones read is in it, so that the number of
 * states grows with the number of phases and not with its power. A session's used recoveries count only while it has work:
 * the state that was found first has the most of them left, and leads everywhere where the others lead.
 */
export function stateKey(run: Run): string {
  const phase = currentPhase(run);
  const gates = openGates(run).map(({ gateKey, assignment, laneId, phaseKey }) =>
    [gateKey, phaseKey, assignment, laneId].join(' '),
  );
  return [
    run.state,
    run.decided !== null,
    ...run.phases.map((each) => (each === phase ? `${each.state} ${each.gatesPassed}` : ended(each))),
    ...run.sessions.map(({ state, renews }) => `${state} ${renews}`),
    ...(phase ? atWork(run, phase) : []),
    ...gates,
    ...loops(run),
  ].join('\n');
}

/** A phase that is not at work. A person can have it continue, and a review counts its rounds. */
function ended({ state, assignments, review }: Phase): string {
  const texts = review ? [String(review.rounds.length)] : assignments.map(said);
  return [state, ...texts].join(' ');
}

const texts = new WeakMap<object, string>();

/** What an artifact says, if later decisions depend on it. */
function said({ artifact }: Assignment): string {
  const { data } = artifact ?? {};
  if (typeof data !== 'object' || data === null) return '';
  const known = texts.get(data) ?? JSON.stringify(data);
  texts.set(data, known);
  return known;
}

function loops({ evaluations, iterations }: Run): string[] {
  return [
    ...iterations.map(({ isResolved, extension }) => `${isResolved} ${extension !== null}`),
    ...evaluations.map(({ result, judgement, measurements }) =>
      [result?.status, judgement?.isKept, judgement?.stop?.reason, measurements.length].join(' '),
    ),
  ];
}

function atWork(run: Run, phase: Phase): string[] {
  const { assignments, attempts, id, changeRequest, dag, review } = phase;
  const commands = run.commands.filter((each) => each.phaseId === id && each.attempt === attempts);
  return [
    phase.key,
    String(changeRequest !== null),
    String(continuesConversation(run, phase)),
    String(probesDecided(run, phase)?.run),
    String(publishEffects(run, phase).length),
    ...assignments.map((each) => (isDue(each) ? due(run, each) : `${each.key} ${each.status} ${each.work !== null}`)),
    ...(review ? [] : assignments.map(said)),
    ...commands.map(({ state, laneId, index }) => [state, laneId, index].join(' ')),
    ...(dag ? inLanes(run, dag) : []),
    ...(review ? reviewed(review) : []),
  ];
}

function due(run: Run, { key, status, repairsUsed, repair, resend, errors, sessionId, because }: Assignment): string {
  const session = run.sessions.find((each) => each.id === sessionId);
  const used = session && recoveriesUsed(session);
  return [key, status, repairsUsed, repair !== null, resend, errors, because, used].join(' ');
}

function inLanes({ lanes }: Run, { queue, late, tasks, tests, main, landings }: Dag): string[] {
  const isNewest = (laneId: string, head: string) => lanes.some((lane) => lane.id === laneId && lane.head === head);
  return [
    ...lanes.map(({ id, state, base, ejections }) =>
      [id, state, base === main, ...ejections.map(({ cause }) => cause)].join(' '),
    ),
    queue.join(' '),
    late.join(' '),
    landings.map(({ laneId }) => laneId).join(' '),
    ...tasks.map(({ id, state, laneId }) => [id, state, laneId].join(' ')),
    // Where `main` is now among the commits of a test decides whether the test still says something.
    ...tests.map(({ base, commits, nth, failed, lanes: tested }) =>
      [
        [base, ...commits].indexOf(main),
        nth,
        failed,
        ...tested.map(({ laneId, head }) => `${laneId} ${isNewest(laneId, head)}`),
      ].join(' '),
    ),
  ];
}

/** How far a review is. Which commits it was about does not matter. */
function reviewed({ rounds, findings, changeRequest }: Review): string[] {
  return [
    String(changeRequest !== null),
    ...rounds.map((round) =>
      round.outcome === null
        ? [
            round.reason,
            round.changeRequest !== null,
            round.look?.batches.map(({ prior }) => prior.map(({ verdict }) => verdict)),
            ...round.asks.map(({ what, isDone }) => `${what} ${isDone}`),
            ...round.checked.map(({ what, results }) => `${what} ${results.map(({ exitCode }) => exitCode)}`),
          ].join(' ')
        : `${round.reason} ${round.outcome} ${round.asks.length}`,
    ),
    ...findings.map(({ state, reporters, cameBackIn, resolutions }) =>
      [
        state,
        cameBackIn,
        reporters.map(({ round }) => round),
        resolutions.map(({ status, round }) => `${status} ${round}`),
      ].join(' '),
    ),
  ];
}

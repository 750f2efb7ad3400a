import { gateFacts } from '../../../schemas/gates/gateKinds.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { type Model, step } from '../../model/model.ts';
import { goTo } from '../../model/place.ts';
import { answerOf, errorOf, query } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { line, wrap } from '../../text/line.ts';
import { gateName } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { ageChangesAt, earliest } from '../../text/time.ts';
import { seenFromNow, showGate, shownGateDecidableFrom } from '../decisions/decideWith.ts';
import { nextGate } from '../decisions/waitingGates.ts';
import { attachBindings } from '../targets/attachBindings.ts';
import { mergeTargets, NO_TARGETS, type Targets, targetBindings } from '../targets/targets.ts';
import {
  filesRoot,
  targetsOfDecision,
  targetsOfFile,
  targetsOfGate,
  targetsOfRunDetail,
} from '../targets/targetsOf.ts';
import { approvalOf, approvalQueries, approvalQuery, sessionIdOf } from './approvalQueries.ts';
import {
  currentFile,
  gateLines,
  movementBindings,
  onKey,
  onMouse,
  sectionBindings,
  typing,
  whyNotLoaded,
} from './approvalReader.ts';
import { WAITING_QUERIES } from './approvalsItems.ts';
import { commentBindings } from './commentBindings.ts';
import { placesQuery } from './comments/shownDrafts.ts';
import { reviewedGate, takesComments } from './comments/takesComments.ts';
import { decisionBindings } from './decisionBindings.ts';
import { fileQueries } from './diffOf.ts';
import { editBindings } from './editDocument.ts';

const runQuery = ({ runId }: ApprovalDetail) => query('run.get', { runId });

/** The current file first, then everything that the decision is about. */
function targetsOf(model: Model): Targets {
  const gate = approvalOf(model);
  if (!gate) return NO_TARGETS;
  const run = answerOf(model.data, runQuery(gate));
  const file = currentFile(model);
  return mergeTargets(
    targetsOfFile(file?.path, run && filesRoot(run)),
    targetsOfGate(gate),
    targetsOfDecision(gate),
    targetsOfRunDetail(run) ?? NO_TARGETS,
  );
}

const sessionOf = (model: Model) => {
  const approval = approvalOf(model);
  const sessionId = approval && sessionIdOf(approval);
  return sessionId === undefined ? undefined : answerOf(model.data, query('session.get', { sessionId }));
};

export const approval: Screen = {
  id: 'approval',
  tab: 'approvals',
  title(model) {
    const gate = approvalOf(model);
    return gate ? `Gate ${gateName(gate)}` : 'Gate';
  },
  queries(model) {
    const gate = approvalOf(model);
    const first = [...approvalQueries(model, model.place.id ?? ''), ...WAITING_QUERIES];
    if (!gate) return first;
    const places = placesQuery(model, gate);
    return [...first, runQuery(gate), ...fileQueries(model, gate), ...(places ? [places] : [])];
  },
  streams(model) {
    const gate = approvalOf(model);
    const sessionId = gate && gateFacts(gate).showsAgent ? sessionIdOf(gate) : undefined;
    const review = gate && takesComments(gate) ? [{ type: 'review' as const, gate: reviewedGate(gate) }] : [];
    return gate && sessionId !== undefined ? [...review, { type: 'transcript', sessionId, runId: gate.runId }] : review;
  },
  bindings: [
    ...commentBindings,
    ...decisionBindings,
    ...editBindings,
    ...sectionBindings,
    {
      id: 'approval.next',
      keys: [']'],
      label: 'next gate',
      help: 'Open the next gate that waits for you',
      disabled: (model) => (nextGate(model, model.place.id ?? '') ? undefined : 'no other gate waits for you'),
      run(model) {
        const next = nextGate(model, model.place.id ?? '');
        return step(next ? showGate(model, next.id) : model);
      },
    },
    ...attachBindings('approval', sessionOf),
    {
      id: 'approval.session',
      keys: ['s'],
      label: 'session',
      help: 'Open the session of the agent that did the work',
      disabled: (model) => (sessionOf(model) ? undefined : 'the gate has no session'),
      run(model) {
        const session = sessionOf(model);
        return step(session ? goTo(model, { screen: 'session', id: session.sessionId }) : model);
      },
    },
    {
      id: 'approval.run',
      keys: ['u'],
      label: 'run',
      help: 'Open the run of the gate',
      disabled: whyNotLoaded,
      run(model) {
        const gate = approvalOf(model);
        return step(gate ? goTo(model, { screen: 'run', id: gate.runId }) : model);
      },
    },
    ...targetBindings('approval', targetsOf),
    ...movementBindings,
  ],
  noticed(before, model) {
    const isRead = before.place.id === model.place.id && !approvalOf(before) && approvalOf(model);
    return isRead ? seenFromNow(model) : model;
  },
  changesAt(model) {
    const gate = approvalOf(model);
    if (!gate) return undefined;
    const times = [gate.createdAt, ...gate.decisions.map(({ decidedAt }) => decidedAt)];
    return earliest([shownGateDecidableFrom(model), ...times.map((time) => ageChangesAt(time, model.now))]);
  },
  view(model, size) {
    const gate = approvalOf(model);
    if (!gate) {
      const error = errorOf(model.data, approvalQuery(model.place.id ?? ''));
      const say = error ? `${error.message} ${error.hint ?? ''}` : 'Loading…';
      return wrap(say, size.columns - 4, error ? theme.bad : theme.muted).map((each) => line('  ', ...each));
    }
    return gateLines(model, gate, size);
  },
  typing,
  onKey,
  onMouse,
};

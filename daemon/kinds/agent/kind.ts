import { defined } from '../../../schemas/defined.ts';
import { DRAFT, REPO_FACTS } from '../../../schemas/kinds/step/definition.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { deriveFromAssignments } from '../../core/assignment/derive.ts';
import { assignmentEffects } from '../../core/assignment/effects.ts';
import { newAssignment } from '../../core/assignment/newAssignment.ts';
import { isReadByCore, type Request } from '../../core/assignment/request.ts';
import { commentsFor } from '../../core/comments/comments.ts';
import { publishEffects } from '../../core/exchange/publish.ts';
import { gateRequest } from '../../core/gates/gate.ts';
import { nestedGate } from '../../core/gates/nestedGate.ts';
import { commitWork } from '../../core/phases/commitWork.ts';
import type { KindRules } from '../../core/phases/kindRules.ts';
import { said } from '../../core/phases/said.ts';
import { newestArtifact, placed } from '../../core/run/newestArtifact.ts';
import { definitionOf, expectedArtifactOf, isDue, nextGate } from '../../core/run/query.ts';
import type { Phase, Run } from '../../core/run/state.ts';

/** Each role instance writes one artifact in the run's worktree. The phase ends when all are valid and committed. */
export const agentRules: KindRules<'agent'> = {
  begin(run, phase, attempt) {
    const { roles } = definitionOf(run, phase);
    const seats = run.bindings.filter(({ role }) => roles.includes(role));
    const assignments = seats.map(({ roleId }) =>
      newAssignment(
        run,
        phase,
        { key: roleId, roleId, laneId: MAIN, comments: commentsFor(run, phase, roleId) },
        attempt,
      ),
    );
    return { assignments };
  },
  isEmpty: () => false,
  isAtGate: () => false,
  derive: deriveFromAssignments,
  effects(run, phase) {
    if (phase.state === 'validating') {
      if (phase.assignments.some(({ status }) => status !== 'validated')) return [];
      const unpublished = publishEffects(run, phase);
      return unpublished.length > 0 ? unpublished : [commitWork(run, phase)];
    }
    return phase.assignments.flatMap((each) => assignmentEffects(run, phase, each, requestOf(run, phase)));
  },
  worksIn: (_, { assignments }) => (assignments.some(isDue) ? [MAIN] : []),
  request: requestOf,
  outcomes: {
    workCommitted(run, phase, { attempt, work, worktree }) {
      if (phase.state !== 'validating' || phase.attempts !== attempt) return [];
      const nested = nestedGate(run, phase, work, worktree);
      if (nested) return [nested];
      const gate = nextGate(run, phase);
      if (gate !== undefined) return [gateRequest(run, phase, gate, { producer: phase, work, worktree })];
      return [{ type: 'phase.completed', phaseId: phase.id, payload: { attempt, work } }];
    },
  },
  folds: {},
  rehearsal: {
    possible: {},
    atWork: (_, { assignments }) => assignments.map(said),
    ended: ({ assignments }) => assignments.map(said),
  },
  decided: () => [],
};

function requestOf(run: Run, phase: Phase): Request {
  const { instructions = '' } = definitionOf(run, phase);
  const expected = expectedArtifactOf(run, phase);
  const [facts] =
    expected.schema === DRAFT ? REPO_FACTS.flatMap((schema) => newestArtifact(run, schema)?.artifact ?? []) : [];
  return {
    instructions,
    ...expected,
    wantsData: isReadByCore(expected.schema),
    ...defined({ facts: facts && placed(facts) }),
  };
}

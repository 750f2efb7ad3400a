import type { PhaseKind as Kind } from '../../../schemas/enums.ts';
import { definitionOf } from '../run/query.ts';
import type { Phase, Run } from '../run/state.ts';
import { agentPhase } from './agent.ts';
import { commandPhase } from './command.ts';
import { evaluatePhase } from './evaluate.ts';
import { lanesPhase } from './lanes.ts';
import type { PhaseKind } from './phaseKind.ts';
import { reviewPhase } from './review.ts';
import { stepPhase } from './step.ts';

/** All kinds of phases; a missing one does not compile. */
const KINDS: { [K in Kind]: PhaseKind } = {
  agent: agentPhase,
  command: commandPhase,
  evaluate: evaluatePhase,
  lanes: lanesPhase,
  review: reviewPhase,
  step: stepPhase,
};

/** The kind of a phase of the run. */
export function kindOf(run: Run, phase: Phase): PhaseKind {
  return KINDS[definitionOf(run, phase).kind];
}

import type { PhaseKind as Kind } from '../../../../schemas/enums.ts';
import { definitionOf } from '../run/query.ts';
import type { Phase, Run } from '../run/state.ts';
import { agentPhase } from './agent.ts';
import { commandPhase } from './command.ts';
import { lanesPhase } from './lanes.ts';
import type { PhaseKind } from './phaseKind.ts';
import { reviewPhase } from './review.ts';

/** All kinds of phases; a missing one does not compile. */
const KINDS: { [K in Kind]: PhaseKind } = {
  agent: agentPhase,
  command: commandPhase,
  lanes: lanesPhase,
  review: reviewPhase,
};

/** The kind of a phase of the run. */
export function kindOf(run: Run, phase: Phase): PhaseKind {
  return KINDS[definitionOf(run, phase).kind];
}

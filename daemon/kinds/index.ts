import type { PhaseKind as Kind } from '../../schemas/enums.ts';
import type { PhaseKind } from '../core/phases/phaseKind.ts';
import { definitionOf } from '../core/run/query.ts';
import type { Phase, Run } from '../core/run/state.ts';
import { agentPhase } from './agent/kind.ts';
import { commandPhase } from './command/kind.ts';
import { evaluatePhase } from './evaluate/kind.ts';
import { lanesPhase } from './lanes/kind.ts';
import { reviewPhase } from './review/kind.ts';
import { stepPhase } from './step/kind.ts';

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

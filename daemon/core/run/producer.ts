import { hasWriters } from '../../../schemas/definitions/template.ts';
import { KIND_DEFINITIONS } from '../../../schemas/kinds/index.ts';
import { definitionOf } from './query.ts';
import type { Phase, Run } from './state.ts';

/** The phase that makes the changes that a gate of this one asks for. Itself, or the nearest earlier one that can write. */
export function producerOf(run: Run, phase: Phase): Phase {
  if (KIND_DEFINITIONS[phase.kind].producer === 'itself') return phase;
  const before = run.phases.findLast((each) => each.seq < phase.seq && hasWriters(definitionOf(run, each)));
  return before ?? phase;
}

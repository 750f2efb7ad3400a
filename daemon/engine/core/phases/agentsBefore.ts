import { definitionOf } from '../run/query.ts';
import type { Phase, Run } from '../run/state.ts';

/** The nearest phase before that has agents; the phase itself if there is none. */
export function agentsBefore(run: Run, phase: Phase): Phase {
  const hasAgents = (candidate: Phase) => definitionOf(run, candidate).roles.length > 0;
  return run.phases.findLast((candidate) => candidate.seq < phase.seq && hasAgents(candidate)) ?? phase;
}

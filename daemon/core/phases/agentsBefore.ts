import { definitionOf } from '../run/query.ts';
import type { Phase, Run } from '../run/state.ts';

/** The nearest phase before whose agents can change something; the phase itself if there is none. */
export function agentsBefore(run: Run, phase: Phase): Phase {
  const changes = (candidate: Phase) => {
    const { kind, roles } = definitionOf(run, candidate);
    // In a review the third role fixes.
    return roles.length > (kind === 'review' ? 2 : 0);
  };
  return run.phases.findLast((candidate) => candidate.seq < phase.seq && changes(candidate)) ?? phase;
}

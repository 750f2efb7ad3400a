import type { Template } from '../../../schemas/definitions/template.ts';
import type { PhaseKind } from '../../../schemas/enums.ts';
import type { RunCreated } from '../../../schemas/events/run.ts';
import { stateRulesOf } from '../../kinds/states.ts';
import type { Phase, PhaseOf } from '../run/state.ts';

/** A phase of a template before it begins. */
export function newPhase(facts: RunCreated['phases'][number], { phases }: Pick<Template, 'phases'>): Phase {
  const definition = phases.find(({ key }) => key === facts.key);
  if (!definition) throw new TypeError(`phase ${facts.key} is not in the run's template`);
  const { kind } = definition;
  const phase = {
    ...facts,
    kind,
    state: 'pending',
    attempts: 0,
    startedAt: null,
    endedAt: null,
    changeRequest: null,
    assignments: [],
    gatesPassed: [],
    from: null,
    work: null,
    commits: [],
    progress: null,
    progressed: 0,
    ...stateRulesOf({ kind }).initial,
  } satisfies PhaseOf<PhaseKind>;
  // The compiler does not see that kind and state agree.
  return phase as Phase;
}

import type { RunEvent } from '../../../schemas/events/index.ts';
import { kindOf } from '../../kinds/index.ts';
import { withdrawGates } from '../gates/withdrawGates.ts';
import type { RoundEvent } from '../phases/kindRules.ts';
import { isInIteration } from '../run/iterations.ts';
import { patchNewest } from '../run/patch.ts';
import { resetPhases } from '../run/resetPhases.ts';
import type { Run } from '../run/state.ts';

type IterationEvent = Extract<RunEvent, { type: `iteration.${string}` }>;

function isRound(event: IterationEvent): event is IterationEvent & RoundEvent {
  return 'round' in event.payload;
}

/** The turns of the phases that `iterate` of the template names. The rounds of one phase belong to its kind. */
export function evolveIteration(run: Run, event: IterationEvent): Run {
  if (isRound(event)) {
    const phase = run.phases.find(({ id }) => id === event.phaseId);
    return (phase && kindOf(phase).evolveRound?.(run, event)) ?? run;
  }
  const { payload, ts } = event;
  if (!('iteration' in payload)) throw new TypeError(`${event.type} of run ${run.id} has no iteration`);
  const { iteration: nth } = payload;
  if ('resolved' in payload) {
    const { resolved: isResolved, issues } = payload;
    const end = () => ({ endedAt: ts, isResolved, issues });
    return { ...run, iterations: patchNewest(run.iterations, (each) => each.nth === nth, end) };
  }
  const { extension = null } = payload;
  const begun = { nth, extension, startedAt: ts, endedAt: null, isResolved: null, issues: [] };
  const next = { ...run, iterations: [...run.iterations, begun] };
  if (nth === 1) return next;
  const first = Math.min(...run.phases.filter((phase) => isInIteration(run, phase)).map(({ seq }) => seq));
  const wasSkippedAtStart = (key: string) => run.skips.some(({ phase }) => phase === key);
  return withdrawGates(
    resetPhases({ ...next, decided: null }, ({ seq, key }) => seq >= first && !wasSkippedAtStart(key)),
    ts,
  );
}

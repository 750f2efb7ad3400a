import { hash } from '../../../schemas/hash.ts';
import { laneSettings } from '../../../schemas/kinds/lanes/settings.ts';
import { comparesRed, namesCulprit } from '../../core/run/behaviour.ts';
import { headOf, laneOf } from '../../core/run/lanes.ts';
import { commandsOf, definitionOf } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import type { Check } from './effect.ts';
import { overlapOrder } from './overlapGate.ts';
import { dagOf, type LanesPhase } from './plan.ts';
import { planGates } from './planGates.ts';
import { acceptedOf } from './queue/acceptedRed.ts';
import type { AcceptedRed, Queue } from './queue/queue.ts';
import { queueOrder } from './queue/queueOrder.ts';

/** The merge queue of a phase, as its search sees it. */
export function queueOf(run: Run, phase: LanesPhase): Queue {
  const { tasks, main, queue, late, tests, landings } = dagOf(phase);
  const { batch } = laneSettings(run.template, definitionOf(run, phase));
  const waiting = queueOrder(queue, tasks, overlapOrder(run, phase)).map((laneId) => {
    const lane = laneOf(run, laneId);
    return { laneId, head: headOf(lane), base: lane.base };
  });
  const { hash: checks } = mergeChecks(run, phase);
  return {
    main,
    waiting,
    late,
    landed: landings,
    tests,
    checks,
    batch,
    acceptedRed: acceptedRed(run, phase),
    searches: namesCulprit(run),
  };
}

/** The commands that every merge must pass: those of the command phase that the template names. */
export function mergeChecks(run: Run, phase: LanesPhase): { hash: string; commands: Check[] } {
  const { checks } = laneSettings(run.template, definitionOf(run, phase));
  const source = run.phases.find(({ key }) => key === checks);
  const commands = source ? commandsOf(run, source) : [];
  return { hash: commands.length === 0 ? '' : hash(commands.map(({ argv }) => argv)), commands };
}

function acceptedRed(run: Run, phase: LanesPhase): AcceptedRed[] | null {
  const approved = planGates(run, phase, 'base_red').filter(({ state }) => state === 'approved');
  if (approved.length === 0) return null;
  return approved.flatMap(({ subject }) => acceptedOf(subject, { compares: comparesRed(run) }));
}

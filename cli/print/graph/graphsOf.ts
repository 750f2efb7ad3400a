import type { Template } from '../../../schemas/definitions/template.ts';
import type { LanesPhaseView, RunLanes } from '../../../schemas/rpc/views/lanes.ts';
import { TASK_STATES } from '../../../schemas/states/lanes.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import type { Graph } from './graph.ts';

/** The tasks of each lanes phase of a run. */
export function graphsOfRun({ phases }: RunLanes): Graph[] {
  return phases.map(graphOfPhase);
}

function graphOfPhase({ phaseKey, tasks }: LanesPhaseView): Graph {
  const nodes = tasks.map(({ taskId, title, state, laneId, dependsOn, orderedAfter, layer }) => {
    const word = stateOf(TASK_STATES, state);
    return { id: taskId, title, state: word, place: laneId, after: dependsOn, orderedAfter, layer };
  });
  return { name: phaseKey, nodes };
}

type Definition = Pick<Template, 'phases' | 'iterate'>;

/** The phases of a template, one after another, with their gates, and the loop that they are in. */
export function graphOfTemplate(name: string, { phases, iterate }: Definition): Graph {
  const nodes = phases.map(({ key, title, gates = [] }, at) => {
    const before = phases[at - 1];
    const notes = gates.map((gate) => `gate ${gate}`);
    return { id: key, title, after: before ? [before.key] : [], orderedAfter: [], layer: at, notes };
  });
  const [to, from] = [iterate?.phases[0], iterate?.phases.at(-1)];
  return { name, nodes, loop: to === undefined || from === undefined ? undefined : { from, to } };
}

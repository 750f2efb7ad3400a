import { DevflowError } from '../../../errors.ts';
import { isTime } from '../../document/calendar.ts';
import { isMap } from '../../document/fields.ts';
import { checkChanges } from '../check/checkChanges.ts';
import { requireValid } from '../check/requireState.ts';
import { type AgentName, type Change, type Changes, type CycleState, countFiles } from '../state/cycleState.ts';
import { cycleTime } from '../state/cycleTime.ts';
import type { GivenChange, Payloads } from './cycleEvent.ts';
import { ownerOf } from './owner.ts';

/** Adds changes. The first ones of an iteration mark its time. */
export function changesAppended(state: CycleState, event: Payloads['changes.appended'], at: string): CycleState {
  const agent = ownerOf('changes', event.agent);
  if (event.changes.length === 0) throw new DevflowError('usage', 'changes.appended: changes is empty.');
  const iteration = state.current_iteration;
  const before: Changes = state.changes ?? { total_files: 0, changes: [], iteration_markers: {} };
  const added = event.changes.map((change) => madeOf(change, { iteration, agent, at }));
  requireValid('The list of changes', partOf(before, added, {}), checkChanges);
  const isMarked = Object.hasOwn(before.iteration_markers, String(iteration));
  const markers = isMarked ? before.iteration_markers : { ...before.iteration_markers, [iteration]: at };
  return { ...state, changes: partOf(before, [...before.changes, ...added], markers) };
}

function partOf(before: Changes, changes: Change[], iteration_markers: Record<string, string>): Changes {
  return { ...before, total_files: countFiles(changes), changes, iteration_markers };
}

/** A value that is no object stays as it is, and the contract refuses it. */
function madeOf(
  given: GivenChange,
  { iteration, agent, at }: { iteration: number; agent: AgentName; at: string },
): Change {
  if (!isMap(given)) return given as unknown as Change;
  const { timestamp = at, file, action, description = '', ...more } = given as GivenChange;
  const time = isTime(timestamp) ? cycleTime(Date.parse(timestamp)) : timestamp;
  return { ...more, timestamp: time, file, action: action as Change['action'], iteration, agent, description };
}

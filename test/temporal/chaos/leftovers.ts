import type { TestTemporal } from '../../helpers/globalTemporal.ts';
import { listWorkflows } from '../../helpers/temporalWorkflows.ts';
import { until } from '../../helpers/until.ts';
import type { RunRecord } from './driver.ts';
import type { Machine } from './machine.ts';
import type { World } from './world.ts';

/** Agents and workflows end a moment after their runs. */
const SOON_MS = 30_000;

/** After all runs have ended: no panes and no workflows, but for agents of runs that the database forgot. */
export async function proveNothingIsLeft(
  { machines, story, temporal }: World,
  place: Pick<TestTemporal, 'namespace' | 'packages'>,
  runs: readonly RunRecord[],
): Promise<void> {
  const address = `${temporal.host}:${temporal.port}`;
  const workflows = () => listWorkflows({ ...place, address }, 'Running');
  await until('no workflow is left', async () => (await workflows()).length === 0, SOON_MS).catch(() => {});
  for (const id of await workflows()) story.find(`a workflow is left: ${id}`);
  const isForgotten = runs.some(({ setBack }) => setBack > 0);
  for (const machine of machines) {
    const panes = () => panesOf(machine);
    await until('no panes are left', () => panes().length === 0, isForgotten ? 0 : SOON_MS).catch(() => {});
    for (const pane of panes()) {
      if (isForgotten) story.note(`a pane of a forgotten run is left on ${machine.name}`);
      else story.find(`a pane is left on ${machine.name}: ${pane}`);
    }
  }
}

function panesOf({ panes }: Machine): string[] {
  try {
    const all = panes.tmux('list-panes', '-a', '-F', '#{session_name} #{pane_pid} #{pane_dead}').split('\n');
    return all.filter((line) => line.startsWith('devflow-'));
  } catch {
    // No server.
    return [];
  }
}

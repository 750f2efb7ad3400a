import { trySignal } from '../../../schemas/process/processes.ts';
import type { TestTemporal } from '../../helpers/globalTemporal.ts';
import { processesOf } from '../../helpers/leaks.ts';
import { SCRIPTED_AGENT } from '../../helpers/scriptedAgent.ts';
import { listWorkflows } from '../../helpers/temporalWorkflows.ts';
import { until } from '../../helpers/until.ts';
import type { RunRecord } from './driver.ts';
import type { Machine } from './machine.ts';
import type { Story, World } from './world.ts';

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
    if (isForgotten) endAgents(machine, story);
    else await provePanes(machine, story);
  }
}

/** Nobody else ends the agents of a forgotten run, and some ignore the end of their terminal. */
function endAgents({ name, panes }: Machine, story: Story): void {
  for (const { pid } of processesOf(panes.daemon.root).filter(({ command }) => command.includes(SCRIPTED_AGENT))) {
    story.note(`an agent of a forgotten run is left on ${name}`);
    trySignal(pid, 'SIGKILL');
  }
}

async function provePanes({ name, panes }: Machine, story: Story): Promise<void> {
  const list = () => {
    try {
      return panes.tmux('list-panes', '-a', '-F', '#{session_name} #{pane_pid}').split('\n');
    } catch {
      // No server.
      return [];
    }
  };
  const left = () => list().filter((line) => line.startsWith('devflow-'));
  await until('no panes are left', () => left().length === 0, SOON_MS).catch(() => {});
  for (const pane of left()) story.find(`a pane is left on ${name}: ${pane}`);
}

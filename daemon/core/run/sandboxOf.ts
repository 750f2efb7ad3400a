import { MAIN } from '../../../schemas/mainLane.ts';
import type { Sandbox } from '../../../schemas/sandbox.ts';
import { laneOf } from './lanes.ts';
import type { Run } from './state.ts';

/** The sandbox of an agent, as a part of an effect. Targets of its worktree's links in the checkout are visible there, too. */
export function agentSandbox(run: Run, laneId: string): { sandbox?: Sandbox } {
  const { sandbox, repoPath } = run;
  if (!sandbox) return {};
  const placed = laneOf(run, laneId).setup?.placed ?? [];
  const linked = placed.flatMap(({ how, path }) => (how === 'linked' ? [`${repoPath}/${path}`] : []));
  return { sandbox: linked.length === 0 ? sandbox : { ...sandbox, read: [...(sandbox.read ?? []), ...linked] } };
}

/** The same for a command; nothing if only agents have a sandbox. */
export function commandSandbox(run: Run, laneId = MAIN): { sandbox?: Sandbox } {
  return run.sandbox?.level === 'all' ? agentSandbox(run, laneId) : {};
}

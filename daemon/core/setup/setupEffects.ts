import { commandOutputDir } from '../../../schemas/files/runPaths.ts';
import type { WorktreeSetup } from '../../../schemas/repository/worktreeSetup.ts';
import type { Effect } from '../effect/effect.ts';
import { placeOf } from '../run/lanes.ts';
import { setupCommandIds, setupCommands } from '../run/setupOf.ts';
import type { Lane, Phase, Run } from '../run/state.ts';
import { lanesInSetup } from './lanesToSetUp.ts';

/** The effects that set up the lanes in which the phase goes on. Their commands run by themselves. */
export function setupEffects(run: Run, phase: Phase): Effect[] {
  const { setup } = run;
  return setup ? lanesInSetup(run, phase).flatMap((lane) => effectsOf(run, phase, lane, setup)) : [];
}

function effectsOf(run: Run, phase: Phase, lane: Lane, setup: WorktreeSetup): Effect[] {
  const before = lane.setup;
  const facts = { runId: run.id, phaseId: phase.id, laneId: lane.id, lane: placeOf(run, lane.id), setup };
  const dir = commandOutputDir(run.workspaceRoot, run.id);
  if (!before || before.state === 'due') {
    const nth = (before?.nth ?? 0) + 1;
    const ids = before ? setupCommandIds(run, lane.id, before.nth) : [];
    const key = `placeWorktree:${run.id}:${lane.id}:${nth}`;
    return [{ type: 'placeWorktree', key, ...facts, nth, ports: before?.ports ?? {}, earlier: { dir, ids } }];
  }
  if (before.state !== 'placed') return [];
  const { nth, commands } = before;
  const ran = setupCommands(run, lane.id, nth);
  const failed = ran.find(({ state }) => state === 'failed');
  const isOver = failed !== undefined || (ran.length === commands.length && ran.every(({ endedAt }) => endedAt));
  if (!isOver) return [];
  const failure = failed ? `${failed.argv.join(' ')}: ${failed.reason}` : null;
  const key = `finishSetup:${run.id}:${lane.id}:${nth}`;
  return [{ type: 'finishSetup', key, ...facts, nth, failure, commands: { dir, ids: ran.map(({ id }) => id) } }];
}

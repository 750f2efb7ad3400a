import { matchesGlob } from '../../core/glob/matchesGlob.ts';
import { laneOf } from '../../core/run/lanes.ts';
import type { Lane, Run } from '../../core/run/state.ts';
import { tasksOf, writeSetOf } from './lane.ts';
import { dagOf, type LanesPhase } from './plan.ts';
import { landedSince } from './queue/landedSince.ts';
import { quoted } from './quoted.ts';
import type { Task } from './state.ts';

/** The most that a prompt says about each side. */
const MOST_TASKS = 3;
const MOST_CHARACTERS = 1_200;

/** The tasks of both sides of a conflict, as an agent reads them: of the lane, and of what landed in these files. */
export function conflictSides(
  run: Run,
  phase: LanesPhase,
  lane: Lane,
  { onto, paths }: { onto: string; paths: readonly string[] },
): { ours: string; theirs: string } {
  const landed = landedBetween(phase, lane.base, onto).map((laneId) => laneOf(run, laneId));
  const mayWrite = (other: Lane) =>
    paths.some((path) => matchesGlob(path, writeSetOf(run, phase, other), { ignoreCase: true }) !== 'no');
  const likely = landed.filter(mayWrite);
  const theirs = likely.length > 0 ? likely : landed;
  return {
    ours: describe(tasksOf(phase, lane)),
    theirs: describe(theirs.flatMap((other) => tasksOf(phase, other))),
  };
}

/** The lanes that landed between two commits of `main`. A later landing changes nothing, so that the prompt stays the same. */
function landedBetween(phase: LanesPhase, base: string, onto: string): string[] {
  const { landings } = dagOf(phase);
  const last = landings.findLastIndex(({ commit }) => commit === onto);
  const next = landings.findIndex(({ before }) => before === onto);
  const end = last >= 0 ? last + 1 : next >= 0 ? next : landings.length;
  return landedSince(landings.slice(0, end), base);
}

function describe(tasks: readonly Task[]): string {
  const shown = tasks
    .slice(0, MOST_TASKS)
    .flatMap(({ id, title, description, requirements }) => [
      `- ${id} ${title}`,
      ...quoted(description, MOST_CHARACTERS),
      ...(requirements.length > 0 ? [`> Requirements: ${requirements.join(', ')}`] : []),
    ]);
  const more = tasks.length - MOST_TASKS;
  const rest = more > 0 ? [`- and ${more} more`] : [];
  return shown.length === 0 ? '- work of others' : [...shown, ...rest].join('\n');
}

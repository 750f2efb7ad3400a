import { isBlocked } from '../../../schemas/states/command.ts';
import { looksTwiceAtChecks } from '../../core/run/behaviour.ts';
import type { CommandRun } from '../../core/run/commandRun.ts';
import type { Lane, Run } from '../../core/run/state.ts';
import { tasksOf } from './lane.ts';
import type { LanesPhase } from './plan.ts';

/** The exit code of a shell that does not find the program. */
const NOT_FOUND = 127;

export interface LaneCheck {
  argv: string[];
  timeoutMs: number;
}

/** The check that runs next in the lane, after those that ran in this turn; undefined after the last. */
export function nextCheck(
  run: Run,
  phase: LanesPhase,
  lane: Lane,
  started: readonly CommandRun[],
): LaneCheck | undefined {
  const checks = checksOf(run, phase, lane);
  const newest = started.at(-1);
  const ran = runsByCheck(started);
  if (!newest || !looksTwiceAtChecks(run)) return checks[started.length];
  const isNew = ran.get(nameOf(newest))?.length === 1;
  if (newest.state === 'failed' && isNew && mayBeFlaky(newest)) {
    return checks.find((check) => nameOf(check) === nameOf(newest));
  }
  return checks[ran.size];
}

/**
 * The checks that failed, by the turn that they checked: the newest run of each. A check that failed first and passed when it
 * ran again has not failed.
 */
export function failedByTurn(run: Run, phase: LanesPhase, lane: Lane): Map<number | undefined, CommandRun[]> {
  const failed = new Map<number | undefined, CommandRun[]>();
  for (const [turn, commands] of turnsOf(run, phase, lane)) {
    const red = looksTwiceAtChecks(run)
      ? [...runsByCheck(commands).values()].flatMap((runs) => (hasFailed(runs) ? runs.slice(-1) : []))
      : commands.filter(({ state }) => state === 'failed');
    if (red.length > 0) failed.set(turn, red);
  }
  return failed;
}

/** The checks of a lane that failed and then passed without a change. */
export function flakyChecks(run: Run, phase: Pick<LanesPhase, 'id'>, lane: Lane): string[][] {
  const runs = [...turnsOf(run, phase, lane).values()].flatMap((commands) => [...runsByCheck(commands).values()]);
  const flaky = runs.filter((each) => each[0]?.state === 'failed' && each.at(-1)?.state === 'completed');
  return [...runsByCheck(flaky.flat()).values()].flatMap(([first]) => (first ? [first.argv] : []));
}

function hasFailed(runs: readonly CommandRun[]): boolean {
  const [first] = runs;
  const isFinal = runs.length > 1 || (first !== undefined && !mayBeFlaky(first));
  return isFinal && runs.every(({ state }) => state === 'failed');
}

/** A command that policy refuses, or that is not installed, fails the same way again. */
function mayBeFlaky(command: CommandRun): boolean {
  return command.exitCode !== NOT_FOUND && !isBlocked(command);
}

function turnsOf(run: Run, phase: Pick<LanesPhase, 'id'>, lane: Lane): Map<number | undefined, CommandRun[]> {
  const own = run.commands.filter(
    ({ phaseId, laneId, kind }) => phaseId === phase.id && laneId === lane.id && kind !== 'setup',
  );
  return Map.groupBy(own, ({ turn }) => turn);
}

function runsByCheck(commands: readonly CommandRun[]): Map<string, CommandRun[]> {
  return Map.groupBy(commands, nameOf);
}

function checksOf(run: Run, phase: LanesPhase, lane: Lane): LaneCheck[] {
  const declared = tasksOf(phase, lane).flatMap(({ checks }) => checks);
  const each = new Map(declared.map((check) => [nameOf(check), check]));
  return [...each.values()].map(({ argv, timeoutMs = run.options.commandTimeoutMs }) => ({ argv, timeoutMs }));
}

function nameOf({ argv }: Pick<LaneCheck, 'argv'>): string {
  return JSON.stringify(argv);
}

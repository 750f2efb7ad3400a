import { isTerminal } from '../../schemas/enums.ts';
import { MAIN } from '../../schemas/mainLane.ts';
import type { CommandRun } from '../core/run/commandRun.ts';
import { laneOf } from '../core/run/lanes.ts';
import type { Lane, Phase, Run } from '../core/run/state.ts';
import { flakyChecks } from '../kinds/lanes/laneChecks.ts';
import type { UnresolvedItem } from './unresolvedItem.ts';

/**
 * The commands of a phase that failed, or whose end is not recorded, without those that a later run replaces. Then its flaky
 * checks.
 */
export function failedCommands(run: Run, phase: Phase): UnresolvedItem[] {
  const ofPhase = run.commands.filter(({ phaseId, kind }) => phaseId === phase.id && kind !== 'setup');
  const approved = phase.state === 'completed' ? ' and was approved anyway' : '';
  const own = ofPhase
    .filter(({ laneId, attempt }) => laneId === MAIN && attempt === phase.attempts)
    .flatMap((command) => unresolved(run, phase, command, approved));
  const laneIds = new Set(ofPhase.map(({ laneId }) => laneId).filter((laneId) => laneId !== MAIN));
  const lanes = [...laneIds].map((laneId) => laneOf(run, laneId));
  const left = lanes.flatMap((lane) =>
    checksLeft(lane, ofPhase).flatMap((command) => unresolved(run, phase, command, inLane(lane))),
  );
  return [...own, ...left, ...lanes.flatMap((lane) => flaky(run, phase, lane))];
}

function flaky(run: Run, phase: Phase, lane: Lane): UnresolvedItem[] {
  return flakyChecks(run, phase, lane).map((argv) => {
    const sentence = `${argv.join(' ')} failed once in ${lane.id} and passed when it ran again.`;
    return { kind: 'check_flaky', sentence, subject: phase.key };
  });
}

/**
 * The checks of a lane that count at the end: the newest run of each in the lane's last turn. The merge queue tested what
 * landed, so nothing is left of a lane that landed.
 */
function checksLeft({ id, state }: Lane, ofPhase: readonly CommandRun[]): CommandRun[] {
  if (state === 'landed') return [];
  const commands = ofPhase.filter(({ laneId }) => laneId === id);
  const last = commands.at(-1)?.turn;
  const ofTurn = commands.filter(({ turn }) => turn === last);
  return [...new Map(ofTurn.map((command) => [JSON.stringify(command.argv), command])).values()];
}

function inLane({ id, state }: Lane): string {
  return ` in ${id}${state === 'abandoned' ? ', which was abandoned' : ''}`;
}

function unresolved(run: Run, { key }: Phase, command: CommandRun, ending: string): UnresolvedItem[] {
  const { state, argv, exitCode, reason, stderrPath } = command;
  const name = argv.join(' ');
  if (state === 'failed') {
    const sentence = `${name} failed (${howFailed(exitCode, reason)})${ending}. Its output is in ${stderrPath}.`;
    return [{ kind: 'command_failed', sentence, subject: key }];
  }
  if (state === 'started' && isTerminal(run.state)) {
    return [{ kind: 'command_unfinished', sentence: `${name} started, but its end is not recorded.`, subject: key }];
  }
  return [];
}

/** The reason says more than the exit code only if devflow ended or refused the command. */
function howFailed(exitCode: number | null, reason: string | null): string {
  const isOwn = reason !== null && !reason.startsWith('exit ');
  if (exitCode === null) return reason ?? 'no exit code';
  return isOwn ? `${reason}, exit code ${exitCode}` : `exit code ${exitCode}`;
}

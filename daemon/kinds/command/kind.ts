import type { NewEvent } from '../../../schemas/events/index.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { escalate } from '../../core/gates/escalate.ts';
import { gateRequest } from '../../core/gates/gate.ts';
import type { KindRules } from '../../core/phases/kindRules.ts';
import { commandStarted } from '../../core/run/commandStarted.ts';
import { commandId } from '../../core/run/keys.ts';
import { laneOf } from '../../core/run/lanes.ts';
import { producerOf } from '../../core/run/producer.ts';
import { commandsOf, commandsStarted, nextGate } from '../../core/run/query.ts';
import { isSetUp } from '../../core/run/setupOf.ts';
import type { Phase, Run } from '../../core/run/state.ts';

/** devflow runs the commands of the phase in the run's worktree, one after another. */
export const commandRules: KindRules<'command'> = {
  begin: () => ({ assignments: [] }),
  isEmpty: (run, phase) => commandsOf(run, phase).length === 0 && nextGate(run, phase) === undefined,
  isAtGate(run, phase) {
    const started = commandsStarted(run, phase);
    const isDone =
      started.length === commandsOf(run, phase).length && started.every(({ state }) => state !== 'started');
    return isDone && nextGate(run, phase) !== undefined;
  },
  derive(run, phase) {
    if (phase.state !== 'running') return [];
    const started = commandsStarted(run, phase);
    if (started.some((command) => command.state === 'started')) return [];
    if (started.length < commandsOf(run, phase).length) {
      return isSetUp(run, laneOf(run, MAIN)) ? [startCommand(run, phase, started.length)] : [];
    }
    const gate = nextGate(run, phase);
    // With a gate, a person sees the failure there and decides.
    if (gate !== undefined) return [gateRequest(run, phase, gate, { producer: producerOf(run, phase), work: null })];
    const failed = started.find((command) => command.state === 'failed');
    if (!failed) {
      return [{ type: 'phase.completed', phaseId: phase.id, payload: { attempt: phase.attempts, work: phase.work } }];
    }
    return escalate(run, phase, { code: 'command_failed', reason: `${failed.argv.join(' ')}: ${failed.reason}` });
  },
  effects: () => [],
  worksIn(run, phase) {
    const started = commandsStarted(run, phase);
    const isOver = started.length === commandsOf(run, phase).length && started.every(({ endedAt }) => endedAt !== null);
    return isOver ? [] : [MAIN];
  },
  request: () => ({ instructions: '', file: '', schema: '' }),
  outcomes: {},
  folds: {},
  rehearsal: { possible: {}, atWork: () => [], ended: () => [] },
  decided: () => [],
};

function startCommand(run: Run, phase: Phase, index: number): NewEvent {
  const command = commandsOf(run, phase)[index] ?? { kind: 'other', argv: [], timeoutMs: 1 };
  const place = { commandId: commandId(phase, index), index, cwd: run.worktreeRoot };
  return commandStarted(run, phase, { ...place, ...command });
}

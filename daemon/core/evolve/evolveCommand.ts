import type { RunEvent } from '../../../schemas/events/index.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { CommandRun } from '../run/commandRun.ts';
import { patchNewest } from '../run/patch.ts';
import type { Run } from '../run/state.ts';
import { usedLane } from './evolveSetup.ts';

type CommandEvent = Extract<RunEvent, { type: 'command.started' | 'command.completed' | 'command.failed' }>;

/** Commands that devflow itself runs. */
export function evolveCommand(run: Run, event: CommandEvent): Run {
  if (event.type === 'command.started') {
    const { commandId, ...facts } = event.payload;
    const command: CommandRun = {
      laneId: MAIN,
      ...facts,
      id: commandId,
      phaseId: event.phaseId ?? '',
      state: 'started',
      exitCode: null,
      reason: null,
      startedAt: event.ts,
      endedAt: null,
    };
    return { ...run, commands: [...run.commands, command] };
  }
  const { commandId, ...how } = event.payload;
  const state = event.type === 'command.completed' ? 'completed' : 'failed';
  const end = () => ({ state, ...how, endedAt: event.ts }) as const;
  const ended = { ...run, commands: patchNewest(run.commands, ({ id }) => id === commandId, end) };
  const command = run.commands.findLast(({ id }) => id === commandId);
  return command && command.kind !== 'setup' ? usedLane(ended, command.laneId) : ended;
}

import type { NewEvent } from '../../../schemas/events/index.ts';
import type { Run } from './run/state.ts';

/** The end of every command that is still open, for when the attempt or the run ends over it. */
export function closeCommands(run: Run, reason: string): NewEvent[] {
  return run.commands
    .filter((command) => command.state === 'started')
    .map((command) => ({
      type: 'command.failed',
      phaseId: command.phaseId,
      payload: { commandId: command.id, exitCode: null, reason },
    }));
}

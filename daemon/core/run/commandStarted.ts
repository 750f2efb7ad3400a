import type { EventPayload, NewEvent } from '../../../schemas/events/index.ts';
import { commandOutputDir } from '../../../schemas/files/runPaths.ts';
import type { Phase, Run } from './state.ts';

type Given = Omit<EventPayload<'command.started'>, 'attempt' | 'stdoutPath' | 'stderrPath'>;

/** The event that starts a command of a phase. Its id names the files of its output. */
export function commandStarted(run: Run, phase: Phase, command: Given): NewEvent {
  const output = `${commandOutputDir(run.workspaceRoot, run.id)}/${command.commandId}`;
  const files = { stdoutPath: `${output}.out`, stderrPath: `${output}.err` };
  return { type: 'command.started', phaseId: phase.id, payload: { attempt: phase.attempts, ...command, ...files } };
}

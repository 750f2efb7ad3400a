import type { CommandView } from '../../../schemas/rpc/views/command.ts';
import type { CommandRun } from '../../core/run/commandRun.ts';
import type { Run } from '../../core/run/state.ts';

export function commandView(run: Run, command: CommandRun): CommandView {
  const { id, phaseId, attempt, index, kind, argv, cwd, exitCode, reason, stdoutPath, stderrPath } = command;
  const phaseKey = run.phases.find((phase) => phase.id === phaseId)?.key ?? null;
  const { startedAt, endedAt } = command;
  const files = { stdoutPath, stderrPath };
  return { commandId: id, phaseKey, attempt, index, kind, argv, cwd, exitCode, reason, ...files, startedAt, endedAt };
}

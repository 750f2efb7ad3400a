import type { CommandView } from '../../../schemas/rpc/views/command.ts';
import { isBlocked } from '../../../schemas/states/command.ts';
import { screenState } from '../../model/place.ts';
import { elapsed } from '../../text/elapsed.ts';
import { fitWidth, type Line, line, span, textOf } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { createList, LIST_START, type ListState } from '../../widgets/list.ts';
import { targetsOfCommand } from '../targets/targetsOf.ts';
import { listSection, type RunSection } from './runSection.ts';
import { shownRun } from './shownRun.ts';

const list = createList<CommandView>({
  name: 'run.commands',
  state: screenState<ListState>('run commands', LIST_START),
  items: (model) => shownRun(model)?.commands ?? [],
  keyOf: ({ commandId }) => commandId,
  headless: true,
  columns: [
    { title: 'exit', text: (command) => textOf(commandOutcome(command)) },
    {
      title: 'duration',
      text: ({ startedAt, endedAt }, { now }) => elapsed(startedAt, endedAt, now),
      order: ({ startedAt, endedAt }) => Date.parse(endedAt ?? '') - Date.parse(startedAt ?? ''),
    },
    { title: 'phase', text: ({ phaseKey, attempt }) => `${phaseKey ?? ''}${attempt > 1 ? ` attempt ${attempt}` : ''}` },
    { title: 'command', text: ({ argv }) => argv.join(' ') },
  ],
  also: ({ kind }) => kind,
});

/** The commands of the template that devflow ran. */
export const commands: RunSection = {
  id: 'commands',
  title: 'Commands',
  count: (run) => run.commands.length,
  ...listSection(list, 'command', ({ commandId }) => commandId),
  view: (model, _run, size) => list.view(model, size, (each) => row(each, model.now), 'No commands yet.'),
  targets: (model) => targetsOfCommand(list.selected(model)),
};

function row(command: CommandView, now: number): Line {
  const attempt = command.attempt > 1 && span(` attempt ${command.attempt}`, theme.muted);
  return line(
    ...fitWidth(commandOutcome(command), 12),
    ...fitWidth(line(elapsed(command.startedAt, command.endedAt, now)), 9),
    ...fitWidth(line(span(command.phaseKey ?? '', theme.muted), attempt), 20),
    ' ',
    command.argv.join(' '),
  );
}

export function commandOutcome(command: CommandView): Line {
  const { endedAt, exitCode } = command;
  if (endedAt === null) return line(span('● running', theme.accent));
  if (exitCode === 0) return line(span('✓ exit 0', theme.good));
  return line(
    span(exitCode !== null ? `✗ exit ${exitCode}` : isBlocked(command) ? '✗ blocked' : '✗ signal', theme.bad),
  );
}

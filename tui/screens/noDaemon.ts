import type { Binding } from '../model/binding.ts';
import type { Model, Size } from '../model/model.ts';
import { type Step, step } from '../model/step.ts';
import { EMPTY, type Line, line, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';

/** What can be done where there is no daemon; no other key means anything there. */
export const NO_DAEMON: readonly Binding[] = [
  {
    ...{
      id: 'daemon.start',
      keys: ['s'],
      label: 'start the daemon',
      help: 'Start the daemon; nothing else is changed',
    },
    disabled: ({ link }) => (link.state === 'none' && !link.starting ? undefined : 'there is one'),
    run: start,
  },
  {
    ...{
      id: 'daemon.restart',
      keys: ['U'],
      label: 'restart the daemon',
      help: 'Restart a daemon of another version; runs and agents go on',
    },
    disabled: ({ link }) => (link.state === 'other version' ? undefined : 'it is of this version'),
    run: start,
  },
  {
    ...{ id: 'daemon.connect', keys: ['r'], label: 'try again', help: 'Look again for a daemon' },
    disabled: ({ link }) => (link.state === 'none' && link.starting ? 'it is being started' : undefined),
    run: (model) => step({ ...model, link: { state: 'connecting' } }, { type: 'connect' }),
  },
  {
    ...{ id: 'daemon.quit', keys: ['q', 'C-c'], label: 'quit', help: 'Close the dashboard' },
    run: (model) => step(model, { type: 'quit' }),
  },
];

function start(model: Model): Step {
  return step({ ...model, link: { state: 'none', starting: true, why: '' } }, { type: 'startDaemon' });
}

/** What is shown there. */
export function noDaemonView(model: Model, { columns }: Size): Line[] {
  const can = NO_DAEMON.filter((each) => each.disabled?.(model) === undefined);
  return [
    EMPTY,
    line(span('  devflow', theme.title)),
    EMPTY,
    ...wrap(sentence(model), columns - 4).map((each) => line('  ', ...each)),
    EMPTY,
    line('  ', ...can.flatMap(({ keys, label }) => [span(keys[0] ?? '', theme.key), span(` ${label}   `)])),
  ];
}

function sentence({ link }: Model): string {
  if (link.state === 'other version') {
    return `The daemon is of version ${link.theirs}, this dashboard of ${link.ours}. Restart the daemon? Runs and agents go on. If that does not help, open the dashboard anew.`;
  }
  if (link.state !== 'none') return '';
  return link.starting ? 'The daemon is being started…' : `${link.why} Start it? Nothing else is changed.`;
}

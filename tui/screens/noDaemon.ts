import type { Binding } from '../model/binding.ts';
import { type Model, type Size, type Step, step } from '../model/model.ts';
import { EMPTY, type Line, line, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';

/** The only keys that work without a daemon. */
export const NO_DAEMON: readonly Binding[] = [
  {
    id: 'daemon.start',
    keys: ['s'],
    label: 'start the daemon',
    help: 'Start the daemon; this changes nothing else',
    disabled: ({ link }) => (link.state === 'none' && !link.starting ? undefined : 'a daemon is running'),
    run: start,
  },
  {
    id: 'daemon.restart',
    keys: ['U'],
    label: 'restart the daemon',
    help: 'Restart a daemon of another version; runs and agents continue',
    disabled: ({ link }) => (link.state === 'other version' ? undefined : 'the daemon has the same version'),
    run: start,
  },
  {
    id: 'daemon.connect',
    keys: ['r'],
    label: 'try again',
    help: 'Look for a daemon again',
    disabled: ({ link }) => (link.state === 'none' && link.starting ? 'the daemon is starting' : undefined),
    run: (model) => step({ ...model, link: { state: 'connecting' } }, { type: 'connect' }),
  },
  {
    id: 'daemon.quit',
    keys: ['q', 'C-c'],
    label: 'quit',
    help: 'Close the dashboard',
    run: (model) => step(model, { type: 'quit' }),
  },
];

function start(model: Model): Step {
  return step({ ...model, link: { state: 'none', starting: true, why: '' } }, { type: 'startDaemon' });
}

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
    return `The daemon has version ${link.theirs}, this dashboard ${link.ours}. Restart the daemon? Runs and agents continue. If that does not help, close the dashboard and open it again.`;
  }
  if (link.state !== 'none') return '';
  return link.starting ? 'Starting the daemon…' : `${link.why} Start it? This changes nothing else.`;
}

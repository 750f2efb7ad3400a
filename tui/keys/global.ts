import { field } from '../model/field.ts';
import type { ScreenId } from '../model/model.ts';
import { goBack, goTo } from '../model/navigate.ts';
import { step } from '../model/step.ts';
import type { Binding } from './binding.ts';

const goes = (key: string, screen: ScreenId, label: string, help: string): Binding => ({
  ...{ id: `go.${screen}`, keys: [key], label, help },
  run: (model) => step(goTo(model, { screen })),
});

/** The daemon that went away comes back by itself only where somebody starts it. */
export const START_KEY = 'U';
export const STARTING_DAEMON = 'starting the daemon';

/** What every screen can do. A screen's own binding for the same key comes first. */
export const GLOBAL: readonly Binding[] = [
  goes('1', 'runs', 'runs', 'Go to the runs'),
  goes('2', 'approvals', 'approvals', 'Go to the approvals: what waits for a decision'),
  goes('3', 'sessions', 'sessions', 'Go to the sessions: the agents in their panes'),
  goes('4', 'templates', 'templates', 'Go to the templates'),
  goes('5', 'personas', 'personas', 'Go to the personas'),
  goes('6', 'doctor', 'doctor', 'Go to the checks of this machine'),
  goes(
    '7',
    'help',
    'what is what',
    'Go to the page that says what devflow is, its keys in tmux, and what the states mean',
  ),
  goes('n', 'new', 'new run', 'Start a new run'),
  {
    ...{ id: 'help', keys: ['?'], label: 'help', footer: true, help: 'Show what the keys of this screen do' },
    run: (model) => step({ ...model, overlay: { kind: 'help', top: 0 } }),
  },
  {
    ...{ id: 'palette', keys: [':', 'C-p'], label: 'commands', footer: true, help: 'Find any action by its name' },
    run: (model) => step({ ...model, overlay: { kind: 'palette', field: field(), selected: 0 } }),
  },
  {
    ...{ id: 'daemon.up', keys: [START_KEY], label: 'start the daemon', help: 'Start the daemon when it is away' },
    disabled({ link, busy }) {
      if (link.state !== 'away') return 'it runs';
      return busy.includes(STARTING_DAEMON) ? 'it is being started' : undefined;
    },
    run: (model) => step(model, { type: 'startDaemon' }),
  },
  {
    ...{ id: 'back', keys: ['escape', 'backspace', 'h', 'left'], label: 'back', help: 'Go back to where you were' },
    disabled: (model) => (model.trail.length === 0 ? 'there is nothing to go back to' : undefined),
    run: (model) => step(goBack(model)),
  },
  {
    ...{
      id: 'quit',
      keys: ['q', 'C-c'],
      label: 'quit',
      footer: true,
      help: 'Close the dashboard; runs and agents go on',
    },
    run: (model) => step(model, { type: 'quit' }),
  },
];

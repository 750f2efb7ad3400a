import type { Binding } from '../model/binding.ts';
import { field } from '../model/field.ts';
import { STARTING_DAEMON, step } from '../model/model.ts';
import { goBack } from '../model/place.ts';
import { SCREEN_KEYS } from '../screens/index.ts';

/** Starts the daemon after the connection was lost. */
export const START_KEY = 'U';

/** The bindings of every screen. A screen's own binding for the same key comes first. */
export const GLOBAL: readonly Binding[] = [
  ...SCREEN_KEYS,
  {
    id: 'help',
    keys: ['?'],
    label: 'help',
    footer: true,
    help: 'Show what the keys of this screen do',
    run: (model) => step({ ...model, overlay: { kind: 'help', top: 0 } }),
  },
  {
    id: 'palette',
    keys: [':', 'C-p'],
    label: 'commands',
    footer: true,
    help: 'Find any action by its name',
    run: (model) => step({ ...model, overlay: { kind: 'palette', field: field(), selected: 0 } }),
  },
  {
    id: 'daemon.up',
    keys: [START_KEY],
    label: 'start the daemon',
    help: 'Start the daemon after the connection was lost',
    disabled({ link, busy }) {
      if (link.state !== 'away') return 'the daemon is running';
      return busy.includes(STARTING_DAEMON) ? 'the daemon is starting' : undefined;
    },
    run: (model) => step(model, { type: 'startDaemon' }),
  },
  {
    id: 'back',
    keys: ['escape', 'backspace', 'h', 'left'],
    label: 'back',
    help: 'Go back to where you were',
    disabled: (model) => (model.history.length === 0 ? 'there is nothing to go back to' : undefined),
    run: (model) => step(goBack(model)),
  },
  {
    id: 'quit',
    keys: ['q', 'C-c'],
    label: 'quit',
    footer: true,
    help: 'Close the dashboard; runs and agents continue',
    run: (model) => step(model, { type: 'quit' }),
  },
];

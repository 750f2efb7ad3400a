import { SESSION_STATES } from '../../schemas/states/session.ts';
import { type Action, type Actions, command } from './command.ts';
import { argument, flag, own, text } from './entry.ts';
import { listEntries } from './lists.ts';

const sessionId = argument('<session>');

export const SESSION = {
  list: command('session.list', 'list agent sessions, those of the newest run first', {
    runId: text('<run>', 'only sessions of this run'),
    ...listEntries(SESSION_STATES, {
      of: 'sessions',
      all: own(flag('all sessions, without a limit')),
      always: 'all of open runs',
    }),
  }),
  show: command('session.get', 'show a session', { sessionId }),
  transcript: command('session.transcript', 'print what a pane showed', {
    sessionId,
    follow: own(flag('print new output as it comes')),
    raw: own(flag("keep the agent's escape sequences")),
  }),
  probe: command('session.probe', 'check a pane now', { sessionId }),
};
export type Session = Actions<typeof SESSION>;

export const WHY = command('session.why', 'show which signals led to the state of a session', { sessionId });
export type Why = Action<typeof WHY>;

export const ATTACH = command(
  'session.attachTarget',
  "go to an agent's pane: a run, run/role, run/role@lane or session (default: the agent that needs you most)",
  {
    target: argument('[target]'),
    readOnly: own(flag('look, without typing')),
    next: own(flag('the next agent that needs you, after the one that the terminal shows')),
    client: own(text('<name>', 'tmux client to show it on; in a key binding: #{client_name}')),
  },
);

import { join } from 'node:path';
import { type Command, commandLine, escapeFormat, quote } from '../../../../tmux/command/command.ts';
import { fitWindowsLines } from '../../../../tmux/server/fitWindows.ts';
import { SESSION_MARK } from './panes.ts';

/** The option that marks devflow's own server. cli/attach/sameKeys.ts looks for it. */
export const OWN_MARK = '@devflow_own';

/** After tmux's default aliases. */
const FIRST_ALIAS = 100;

/**
 * The lines for devflow's own server: the sizes of its windows, and the keys of devflow.tmux. In a popup with an agent,
 * all keys go there. `back` detaches, which gives the popup or terminal back. Each key is also a command with a name.
 * So people with other keys in their tmux get those (cli/attach/sameKeys.ts). `root`: of the installed package.
 */
export function ownServerLines(root: string): string[] {
  const client = "DEVFLOW_INTERNAL_TMUX_CLIENT='#{client_name}'";
  const inFormat = (path: string) => quote(escapeFormat(join(root, path)));
  const dashboard = (...words: string[]): Command => {
    const program = [client, inFormat('bin/devflow'), 'tui', ...words].join(' ');
    return ['run-shell', '-C', `display-popup -EE -w 90% -h 90% -d '##{pane_current_path}' -- env ${program}`];
  };
  const keys: [key: string, name: string, command: Command][] = [
    ['F', 'dashboard', dashboard()],
    ['A', 'approvals', dashboard('--screen', 'approvals')],
    ['G', 'picker', dashboard('--screen', 'sessions')],
    ['J', 'jump', ['run-shell', '-b', `${inFormat('tmux/plugin/jump.sh')} '#{client_name}'`]],
    ['B', 'back', ['detach-client']],
  ];
  const lines = keys.flatMap(([key, name, command], at): Command[] => [
    ['set-option', '-s', `command-alias[${FIRST_ALIAS + at}]`, `devflow-${name}=${commandLine([command])}`],
    ['bind-key', key, `devflow-${name}`],
  ]);
  const options: Command[] = [
    ['set-option', '-g', OWN_MARK, '1'],
    // The status line of a nested client must say whose pane it shows, and which keys leave it.
    ['set-option', '-g', 'status-left', '[#{s/^devflow-//:session_name}] '],
    ['set-option', '-g', 'status-left-length', '80'],
    ['set-option', '-g', 'status-right', ' #{prefix} d leaves '],
  ];
  const fit = fitWindowsLines({ mark: SESSION_MARK, unattached: SIZE, least: LEAST_SIZE });
  return [...[...options, ...lines].map((line) => commandLine([line])), ...fit];
}

/** The size of an agent's window that no terminal shows. */
export const SIZE = { columns: 160, rows: 45 };

/** The smallest size of an agent's window: a terminal of 60x15 cells without tmux's status line. */
export const LEAST_SIZE = { columns: 60, rows: 14 };

import { join } from 'node:path';
import { type Command, commandLine, escapeFormat, quote } from '../../../../tmux/command/command.ts';

/** After those that tmux brings along. */
const FIRST_ALIAS = 100;

/**
 * The keys of devflow.tmux on devflow's own server: to a person who looks at an agent in a popup all keys go to this one.
 * Back is leaving, which gives the popup or the terminal back. Each is a command by name as well, so that whoever comes
 * from a tmux with other keys gets those (cli/attach/sameKeys.ts). `root`: of the installed package.
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
    ['set-option', '-g', '@devflow_own', '1'],
    // A nested client has no other place to say whose pane it shows, and which keys leave it.
    ['set-option', '-g', 'status-left', '[#{s/^devflow-//:session_name}] '],
    ['set-option', '-g', 'status-left-length', '80'],
    ['set-option', '-g', 'status-right', ' #{prefix} d leaves '],
  ];
  return [...options, ...lines].map((line) => commandLine([line]));
}

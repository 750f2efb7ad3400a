import { join } from 'node:path';
import { commandLine, formatLiteral, quote } from '../../../tmux/command.ts';

/**
 * The keys of devflow.tmux on devflow's own server: to a person who looks at an agent in a popup all keys go to this one.
 * Back is leaving, which gives the popup or the terminal back. `root`: of the installed package.
 */
export function ownServerLines(root: string): string[] {
  const client = "DEVFLOW_INTERNAL_TMUX_CLIENT='#{client_name}'";
  const inFormat = (path: string) => quote(formatLiteral(join(root, path)));
  const dashboard = (...words: string[]) => {
    const program = [client, inFormat('bin/devflow'), 'tui', ...words].join(' ');
    return ['run-shell', '-C', `display-popup -EE -w 90% -h 90% -d '##{pane_current_path}' -- env ${program}`];
  };
  const keys: Record<string, string[]> = {
    F: dashboard(),
    A: dashboard('--screen', 'approvals'),
    G: dashboard('--screen', 'sessions'),
    J: ['run-shell', '-b', `${inFormat('tmux/plugin/jump.sh')} '#{client_name}'`],
    B: ['detach-client'],
  };
  const bindings = Object.entries(keys).map(([key, command]) => ['bind-key', key, ...command] as const);
  return [['set-option', '-g', '@devflow_own', '1'] as const, ...bindings].map((line) => commandLine([line]));
}

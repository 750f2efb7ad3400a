import { dirname, isAbsolute, join } from 'node:path';
import { homeOf } from '../../schemas/files/home.ts';
import type { Env } from '../../schemas/files/paths.ts';
import { KEPT_EXIT } from '../../schemas/keeper/keptExit.ts';
import { serviceEnvironment } from './environment.ts';
import type { Service } from './files.ts';

/** A unit of the user's own systemd. */
export function userUnit(env: Env, name: string, words: readonly string[]): Service {
  const { XDG_CONFIG_HOME: config } = env;
  const directory = join(config && isAbsolute(config) ? config : join(homeOf(env), '.config'), 'systemd', 'user');
  const file = `${name}.service`;
  return {
    name,
    file: join(directory, file),
    text: unitText(words, serviceEnvironment(env)),
    link: { path: join(directory, 'default.target.wants', file), target: join('..', file) },
    directories: [join(directory, 'default.target.wants'), directory, dirname(directory)],
    reload: ['systemctl', '--user', 'daemon-reload'],
    state: ['systemctl', '--user', 'is-active', file],
    found: ['systemctl', '--user', 'show', '--property=LoadState', '--value', file],
    startNow: `systemctl --user start ${name}`,
  };
}

/** Only the keeper is stopped by systemd. It ends the daemon in order, and agents stay in their panes. */
function unitText(words: readonly string[], variables: readonly [name: string, value: string][]): string {
  return `# Written by devflow service install. To remove it: devflow service remove.
[Unit]
Description=devflow, which runs coding agents in tmux

[Service]
Type=exec
ExecStart=${words.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}
${variables.map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`).join('\n')}
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=${KEPT_EXIT.person}
KillMode=process
OOMPolicy=continue
TimeoutStopSec=60

[Install]
WantedBy=default.target
`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`;
}

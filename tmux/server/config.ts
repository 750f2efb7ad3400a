import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { TmuxError } from '../command/errors.ts';
import type { Runner } from '../command/runner.ts';

/** Types of terminals that tmux asks for extended keys. Most others ignore the request; the Linux console does not. */
const EXTENDED_TERMINALS = ['xterm*', 'tmux*', 'screen*', 'alacritty*', 'foot*', 'wezterm*'];

/**
 * Always the last lines of an own server's configuration, so that nothing before them overrides them. `focus-events on`
 * and a global `window-size manual` each kill a 3.3a. `exit-empty off` lets the server outlive its last pane. With an
 * empty `update-environment`, a person's attach does not change what later panes inherit. With `extended-keys on`,
 * Shift+Enter reaches the programs that ask for it. Of the two formats of tmux 3.5, all agents read `csi-u`.
 */
const REQUIRED = [
  'set-option -s focus-events off',
  'set-option -s extended-keys on',
  'set-option -sq extended-keys-format csi-u',
  ...EXTENDED_TERMINALS.map((type, at) => `set-option -s 'terminal-features[${100 + at}]' '${type}:extkeys'`),
  'set-option -s exit-empty off',
  'set-option -g remain-on-exit on',
  'set-option -g window-size latest',
  'set-option -g destroy-unattached off',
  "set-option -g update-environment ''",
];

/** Writes the configuration of an own server. `lines` are the caller's own (keys, status line). */
export function writeConfig(path: string, lines: readonly string[] = []): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${[...lines, ...REQUIRED].join('\n')}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
}

/**
 * Throws `unsafe` if a new session or window would kill the server. Up to 3.5a it does with a global `window-size
 * manual`, even if the command gives a size. A user may have set it on their server. The configuration of devflow's own
 * server does not.
 */
export async function refuseUnsafeWindow(runner: Runner): Promise<void> {
  const [windowSize] = await runner.run([['show-options', '-gwv', 'window-size']], { idempotent: true });
  if (windowSize !== 'manual') return;
  throw new TmuxError(
    'unsafe',
    'A new session or window would kill this tmux server: its global window-size is manual.',
  );
}

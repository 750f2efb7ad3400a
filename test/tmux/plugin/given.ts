import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { serverArgv, serverEnv } from '../../../tmux/server/server.ts';
import type { TestTmux } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';

export interface Person {
  /** A copy of the plugin beside a devflow of the test's own. */
  clone: string;
  socket: string;
  home: string;
  tmux(...args: string[]): string;
  /** By `run-shell`, as in a configuration. */
  load(word?: 'unload'): void;
  /** A terminal on this server; what it shows is read from outside. */
  terminal(): Promise<{ keys(...keys: string[]): void; screen(): string; shows(text: string | RegExp): Promise<void> }>;
  /** All that can be told of its options, keys and hooks. */
  look(): string;
}

/** What the stub of devflow does: it tells what it was called with, and stays until a key. */
const STUB = `#!/bin/sh
printf 'devflow:%s:%s:%s\\n' "$*" "$DEVFLOW_HOME" "$DEVFLOW_INTERNAL_TMUX_CLIENT" >>"$STUB_CALLS"
case $1 in
  tui) printf 'devflow %s\\nin %s\\n' "$*" "$PWD"; read -r _ ;;
  attach) echo 'devflow: No agent needs you 100% #S [not_found]. Go on.' >&2; exit 4 ;;
esac
`;

/** A person's tmux server that has been started with these lines of configuration. */
export function givenPerson(test: TestTmux, config: readonly string[] = []): Person {
  const home = test.home;
  const clone = join(home, "clone's #1");
  for (const path of ['devflow.tmux', 'tmux/plugin']) {
    cpSync(join(packageRoot(), path), join(clone, path), { recursive: true });
  }
  for (const directory of ['bin', 'dist']) mkdirSync(join(clone, directory));
  writeFileSync(join(clone, 'bin', 'devflow'), STUB);
  chmodSync(join(clone, 'bin', 'devflow'), 0o755);
  writeFileSync(join(clone, 'dist', 'cli.cjs'), '');

  const server = test.another('own', config);
  server.env && Object.assign(server.env, { STUB_CALLS: join(home, 'calls'), PS1: '$ ' });
  const env = serverEnv(server);
  const [program = 'tmux', ...where] = serverArgv(server, true);
  const tmux = (...args: string[]) =>
    execFileSync(program, [...where, ...args], { encoding: 'utf8', env, stdio: 'pipe' }).trimEnd();
  tmux('new-session', '-d', '-s', 'work', '-x', '100', '-y', '29', '-c', home, 'exec sh');
  const socket = tmux('display-message', '-p', '#{socket_path}');
  const entry = `'${join(clone, 'devflow.tmux').replaceAll("'", "'\\''").replaceAll('#', '##')}'`;

  return {
    clone,
    socket,
    home,
    tmux,
    load: (word) => void tmux('run-shell', word ? `${entry} ${word}` : entry),
    async terminal() {
      const outer = test.another('own');
      const [, ...there] = serverArgv(outer, true);
      const look = (...args: string[]) => execFileSync(program, [...there, ...args], { encoding: 'utf8', env });
      // Wide enough for a sentence with the path of a test in it.
      const size = ['-x', '200', '-y', '30'];
      look('new-session', '-d', '-s', 'o', ...size, `unset TMUX; exec tmux -S ${socket} attach -t work`);
      look('set-option', '-g', 'status', 'off');
      await until('it is attached', () => tmux('list-clients') !== '');
      const screen = () => look('capture-pane', '-p');
      return {
        keys: (...keys) => void look('send-keys', ...keys),
        screen,
        shows: async (text) => void (await until(`it shows ${text}`, () => screen().match(text) !== null)),
      };
    },
    look: () =>
      [['show-options', '-g'], ['show-options', '-s'], ['show-options', '-gw'], ['list-keys'], ['show-hooks', '-g']]
        .map((args) => tmux(...args))
        .join('\n'),
  };
}

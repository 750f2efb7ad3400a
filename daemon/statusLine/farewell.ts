import { type ChildProcess, spawn } from 'node:child_process';
import { finished } from 'node:stream/promises';
import { commandLine } from '../../tmux/command/command.ts';
import { FORGET } from './tell.ts';

/**
 * Sleeps in a read until its input ends, which is when the daemon has ended, however it did: then it takes back what the
 * daemon had put on each server, unless that is another daemon's by now. `-N`: no server is started for it.
 */
const SCRIPT = `
trap '' INT TERM HUP
tmux=$1 daemon=$2 forget=$3
shift 3
while IFS= read -r socket; do set -- "$@" "$socket"; done
for socket; do
  "$tmux" -N -S "$socket" if-shell -F "#{==:#{@devflow_by},$daemon}" \\
    'set-option -gu @devflow_status ; set-option -gu @devflow_by ; '"$forget"
done
`;

export interface Farewell {
  /** To be said on this server too. */
  include(socket: string): void;
  /** Says it now; resolves when it is said. */
  say(): Promise<void>;
}

/** One sleeping process for all servers, started with the first. */
export function createFarewell(binary: string, daemon: number): Farewell {
  const included = new Set<string>();
  let sayer: ChildProcess | undefined;

  return {
    include(socket) {
      if (included.has(socket) || socket.includes('\n')) return;
      included.add(socket);
      sayer ??= start(binary, daemon);
      sayer.stdin?.write(`${socket}\n`);
    },
    async say() {
      if (!sayer) return;
      const { stdin, exitCode, signalCode } = sayer;
      const ended = new Promise((resolve) => sayer?.once('close', resolve));
      stdin?.end();
      if (stdin) await finished(stdin).catch(() => {});
      if (exitCode === null && signalCode === null) await ended;
    },
  };
}

/** In a session of its own, or it would be ended together with the daemon; and it holds no directory. */
function start(binary: string, daemon: number): ChildProcess {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'devflow-farewell', binary, String(daemon), commandLine(FORGET)], {
    ...{ detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] },
  });
  // Without it a status stays after a crash, and nothing else is amiss.
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  child.unref();
  return child;
}

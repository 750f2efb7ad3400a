import { type ChildProcess, spawn } from 'node:child_process';
import { finished } from 'node:stream/promises';
import { commandLine } from '../../tmux/command/command.ts';
import { FORGET } from './tell.ts';

/**
 * Blocks in `read` until the daemon ends, even by SIGKILL: its end closes the pipe. Then it clears what the daemon set on
 * each server, unless another daemon has set it since. `-N` starts no tmux server.
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

export interface StatusCleaner {
  /** Clears this server too. */
  include(socket: string): void;
  /** Clears all servers now; resolves when done. */
  clear(): Promise<void>;
}

/** Clears the status when this daemon ends, however it ends. One sleeping process serves all tmux servers. */
export function clearStatusOnExit(binary: string, daemon: number): StatusCleaner {
  const included = new Set<string>();
  let cleaner: ChildProcess | undefined;

  return {
    include(socket) {
      if (included.has(socket) || socket.includes('\n')) return;
      included.add(socket);
      cleaner ??= start(binary, daemon);
      cleaner.stdin?.write(`${socket}\n`);
    },
    async clear() {
      if (!cleaner) return;
      const { stdin, exitCode, signalCode } = cleaner;
      const ended = new Promise((resolve) => cleaner?.once('close', resolve));
      stdin?.end();
      if (stdin) await finished(stdin).catch(() => {});
      if (exitCode === null && signalCode === null) await ended;
    },
  };
}

/** In its own session, so that it does not end with the daemon. It keeps no directory busy. */
function start(binary: string, daemon: number): ChildProcess {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'devflow-status', binary, String(daemon), commandLine(FORGET)], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // If it fails, a status remains after a crash; nothing else suffers.
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  child.unref();
  return child;
}

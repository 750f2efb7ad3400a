import { spawn } from 'node:child_process';
import { loadConfig } from '../../schemas/config/configLoad.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import type { KeeperRecord } from '../../schemas/keeper/record.ts';
import { keeperStatus } from '../../schemas/keeper/words.ts';
import { orElse } from '../../schemas/orElse.ts';
import { pushStatus } from '../statusLine/push.ts';
import { listServers } from '../statusLine/servers.ts';

/**
 * Clears the text of a keeper that was killed. Ends as soon as the text is of another, such as the next daemon. A pipe from the
 * keeper would not do: it closes when the keeper becomes its other program. `-N` starts no tmux server.
 */
const CLEANER = `
trap '' INT TERM HUP
tmux=$1 keeper=$2 by=$3
shift 3
shows() {
  for socket; do
    [ "$("$tmux" -N -S "$socket" show-option -gqv @devflow_by 2>/dev/null)" != "$by" ] || return 0
  done
  return 1
}
while kill -0 "$keeper" 2>/dev/null && shows "$@"; do sleep 2; done
for socket; do
  "$tmux" -N -S "$socket" if-shell -F "#{==:#{@devflow_by},$by}" \\
    'set-option -gu @devflow_status ; set-option -gu @devflow_by'
done
`;

/**
 * Shows in the tmux status lines why the keeper waits. The text stays until the next daemon has its own there, or the
 * keeper is killed. The reason why a keeper gave up stays until the next daemon or `devflow down`. Never rejects.
 */
export async function tellStatus(paths: Paths, record: KeeperRecord): Promise<void> {
  const binary = tmuxBinary(paths);
  // The cleaner of the wait before this one sees that the text is not its own, and ends.
  const by = record.state === 'gave up' ? '' : `keeper-${process.pid}-${record.failures}`;
  const sockets = await pushAll(paths, binary, keeperStatus(record), by);
  if (by === '' || sockets.length === 0) return;
  const words = ['-c', CLEANER, 'devflow-status', binary, String(process.pid), by, ...sockets];
  const cleaner = spawn('/bin/sh', words, { detached: true, cwd: '/', stdio: 'ignore' });
  // If it fails, a text remains after kill -9; nothing else suffers.
  cleaner.on('error', () => {});
  cleaner.unref();
}

export async function clearStatus(paths: Paths): Promise<void> {
  await pushAll(paths, tmuxBinary(paths), '', '');
}

/** Returns the sockets of the servers that show it. */
async function pushAll(paths: Paths, binary: string, text: string, by: string): Promise<string[]> {
  const servers = await listServers(paths.tmuxServers);
  const push = async ({ socket }: { socket: string }) => {
    const found = await pushStatus({ binary, socket }, text, by).catch(() => 'gone');
    return found === 'shown' ? [socket] : [];
  };
  return (await Promise.all(servers.map(push))).flat();
}

function tmuxBinary(paths: Paths): string {
  return orElse(() => loadConfig(process.env, paths).tmux.binaryPath ?? 'tmux', 'tmux');
}

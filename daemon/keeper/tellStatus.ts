import { loadConfig } from '../../schemas/config/configLoad.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import type { KeeperRecord } from '../../schemas/keeper/record.ts';
import { keeperStatus } from '../../schemas/keeper/words.ts';
import { clearStatusOnExit } from '../statusLine/clearStatusOnExit.ts';
import { pushStatus } from '../statusLine/push.ts';
import { listServers } from '../statusLine/servers.ts';

/**
 * Says in the tmux status lines that no daemon runs. The text of a keeper that waits goes when it ends or starts a daemon; the
 * text of one that gave up stays until the next daemon, or `clearStatus`. Never rejects: status lines are no reason to fail.
 */
export async function tellStatus(paths: Paths, record: KeeperRecord): Promise<{ clear(): Promise<void> }> {
  const binary = tmuxBinary(paths);
  const by = record.state === 'gave up' ? '' : `keeper-${process.pid}`;
  const cleaner = clearStatusOnExit(binary, by);
  await pushAll(paths, binary, keeperStatus(record), by, (socket) => by !== '' && cleaner.include(socket));
  return cleaner;
}

/** Removes the text of a keeper that gave up. */
export async function clearStatus(paths: Paths): Promise<void> {
  await pushAll(paths, tmuxBinary(paths), '', '');
}

async function pushAll(
  paths: Paths,
  binary: string,
  text: string,
  by: string,
  before: (socket: string) => unknown = () => {},
): Promise<void> {
  const servers = await listServers(paths.tmuxServers);
  const push = async ({ socket }: { socket: string }) => {
    before(socket);
    await pushStatus({ binary, socket }, text, by).catch(() => {});
  };
  await Promise.all(servers.map(push));
}

function tmuxBinary(paths: Paths): string {
  try {
    return loadConfig(process.env, paths).tmux.binaryPath ?? 'tmux';
  } catch {
    return 'tmux';
  }
}

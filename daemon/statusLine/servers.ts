import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularText } from '../../schemas/files/openRegular.ts';
import type { Charset } from './text.ts';

/** A socket's name and a character set. */
const MOST_BYTES = 16 * 1024;

/** A tmux server that loaded the plugin, from the file that tmux/plugin/register.sh writes. */
export interface StatusServer {
  file: string;
  socket: string;
  charset: Charset;
  writtenAt: number;
}

/** The registered servers. It skips files that it cannot understand. */
export async function listServers(directory: string): Promise<StatusServer[]> {
  const names = await readdir(directory).catch(() => []);
  const read = names.filter((name) => !name.endsWith('.new')).map((name) => readServer(directory, name));
  return (await Promise.all(read)).filter((server) => server !== undefined);
}

async function readServer(directory: string, name: string): Promise<StatusServer | undefined> {
  const file = join(directory, name);
  const writtenAt = await timeOf(file);
  const text = readRegularText(file, MOST_BYTES) ?? '';
  const facts = new Map(text.split('\n').map((line) => [line.replace(/ .*/s, ''), line.replace(/^\S+ /, '')]));
  const socket = facts.get('socket');
  if (!socket?.startsWith('/')) return undefined;
  return { file, socket, charset: facts.get('charset') === 'utf-8' ? 'utf-8' : 'ascii', writtenAt };
}

/** Removes the file of an ended server, unless a newer server has rewritten it. */
export async function dropServer({ file, writtenAt }: StatusServer): Promise<void> {
  if ((await timeOf(file)) === writtenAt) await rm(file, { force: true });
}

async function timeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

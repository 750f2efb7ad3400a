import { createConnection, createServer } from 'node:net';
import { DevflowError } from '../../schemas/errors.ts';
import { inTurn } from '../repository/git/inTurn.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { keepSetupState, readSetupState } from './setupState.ts';

/** Below the ports that systems give to connections, above those of most servers. */
const FIRST = 20_000;
const LAST = 29_999;
const LOOPBACK = ['127.0.0.1', '::1'];

/** Given away in this process, and maybe in no log yet. */
const given = new Set<number>();

/**
 * A block of free ports, one for each name, in order. `taken`: those of other worktrees, whose servers may not run now. The
 * caller keeps the result, because a later call gives others. Throws if no block is free.
 */
export function choosePorts(names: readonly string[], taken: Iterable<number> = []): Promise<Record<string, number>> {
  return inTurn('choosePorts', async () => {
    const wanted = [...new Set(names)];
    const block = wanted.length === 0 ? [] : await findBlock(wanted.length, new Set([...taken, ...given]));
    for (const port of block) given.add(port);
    return Object.fromEntries(wanted.map((name, at) => [name, block[at] as number]));
  });
}

/** The ports of a worktree by name. It keeps those that it has, and `recorded` ones count before them. */
export async function keepPorts(
  privateGit: Pick<PrivateGit, 'gitDir' | 'path'>,
  names: readonly string[],
  taken?: Iterable<number>,
  recorded: Readonly<Record<string, number>> = {},
): Promise<Record<string, number>> {
  const { ports: kept } = await readSetupState(privateGit);
  const known = { ...kept, ...recorded };
  const missing = names.filter((name) => known[name] === undefined);
  const ports = missing.length === 0 ? known : { ...known, ...(await choosePorts(missing, taken)) };
  if (Object.keys(ports).some((name) => ports[name] !== kept[name])) await keepSetupState(privateGit, { ports });
  return Object.fromEntries(names.map((name) => [name, ports[name] as number]));
}

/** After a restart: a worktree that no log knows has these. */
export function recallPorts(ports: Readonly<Record<string, number>>): void {
  for (const port of Object.values(ports)) given.add(port);
}

/** The worktree is gone. */
export function returnPorts(ports: Readonly<Record<string, number>>): void {
  for (const port of Object.values(ports)) given.delete(port);
}

/** Begins anywhere, so that daemons of several homes rarely try the same ports at once. */
async function findBlock(size: number, taken: ReadonlySet<number>): Promise<number[]> {
  const room = LAST - FIRST + 1;
  const start = Math.floor(Math.random() * room);
  let block: number[] = [];
  for (let nth = 0; nth < room + size; nth++) {
    const port = FIRST + ((start + nth) % room);
    // A block does not go on at the other end.
    if (port === FIRST) block = [];
    block = taken.has(port) || !(await isFree(port)) ? [] : [...block, port];
    if (block.length === size) return block;
  }
  throw new DevflowError('no_free_port', `devflow found no ${size} free ports between ${FIRST} and ${LAST}.`);
}

async function isFree(port: number): Promise<boolean> {
  for (const host of LOOPBACK) if (!(await canListen(port, host))) return false;
  return !(await answers(port));
}

/** True without such an address: a machine may have no IPv6. */
function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'EINVAL'),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** macOS lets two servers listen at one port, if one of them takes all addresses. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    const end = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

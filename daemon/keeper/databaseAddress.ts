import { connect, type NetConnectOpts } from 'node:net';
import { loadConfig } from '../../schemas/config/configLoad.ts';
import type { Paths } from '../../schemas/files/paths.ts';

const ANSWER_MS = 2_000;

/**
 * The address of a database that devflow does not start. Undefined for others, and for settings that cannot be read.
 */
export async function databaseAddress(paths: Paths): Promise<NetConnectOpts | undefined> {
  try {
    const { mode, url } = loadConfig(process.env, paths).database;
    return mode === 'external' && url !== undefined ? addressIn(url) : undefined;
  } catch {
    return undefined;
  }
}

/** Exported for its test. */
export function addressIn(url: string): NetConnectOpts {
  const { hostname, port, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  const number = searchParams.get('port') ?? (port || '5432');
  if (host.startsWith('/')) return { path: `${host}/.s.PGSQL.${number}` };
  return { host: (host || 'localhost').replace(/^\[|\]$/g, ''), port: Number(number) };
}

/** True if somebody listens there. Sends nothing, so the server logs nothing. */
export function answers(address: NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: ANSWER_MS } as NetConnectOpts);
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}

import type { NetConnectOpts } from 'node:net';
import { createLink } from './link.ts';

/** Where Postgres and Temporal are. */
export interface Addresses {
  postgres: NetConnectOpts & { port?: number };
  temporal: { host: string; port: number };
}

/** How a host reaches Postgres and Temporal. */
export interface Uplink {
  kind: 'namespace' | 'proxy';
  /** What the host is told of them. */
  env: Record<string, string>;
  /** Words before each command of this host. */
  words: readonly string[];
  /** Nothing passes, and nobody is told. */
  freeze(): void;
  /** Connections break, or the network is said to be unreachable. */
  cut(): void;
  /** Ends `freeze` and `cut`. */
  thaw(): void;
  /** As when the power goes: to the servers, what is open stays open and silent. Call it before its processes are killed. */
  powerOff(): void;
  /** Once its processes are gone. */
  powerOn(): void;
  close(): void;
}

export const databaseUrl = (host: string, port: number) => `postgres://devflow@${host}:${port}/postgres`;

/** By ports of the test's own on the loopback. */
export async function proxyUplink({ postgres, temporal }: Addresses): Promise<Uplink> {
  const links = [await createLink(postgres), await createLink(temporal)] as const;
  const both = (act: 'freeze' | 'cut' | 'thaw' | 'loseHost' | 'close') => () => {
    for (const link of links) link[act]();
  };
  return {
    kind: 'proxy',
    env: {
      DEVFLOW_DATABASE_URL: databaseUrl('127.0.0.1', links[0].port),
      DEVFLOW_TEMPORAL_ADDRESS: `127.0.0.1:${links[1].port}`,
    },
    words: [],
    freeze: both('freeze'),
    cut: both('cut'),
    thaw: both('thaw'),
    powerOff: both('loseHost'),
    powerOn() {},
    close: both('close'),
  };
}

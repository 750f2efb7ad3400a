import type { NetConnectOpts } from 'node:net';
import type { Network, NetworkMachine } from '../../helpers/network.ts';
import { createLink } from './link.ts';

/** Where Postgres and Temporal are. */
export interface Addresses {
  postgres: NetConnectOpts & { port?: number };
  temporal: { host: string; port: number };
}

/** How a host reaches Postgres and Temporal. */
export interface Uplink extends NetworkMachine {
  kind: 'namespace' | 'proxy';
  /** What the host is told of them. */
  env: Record<string, string>;
}

const databaseUrl = (host: string, port: number) => `postgres://devflow@${host}:${port}/postgres`;

/** From a machine of its own. Temporal's development server takes no address but the loopback's, so a link leads there. */
export async function networkUplink(
  network: Network,
  { postgresPort, temporal }: { postgresPort: number; temporal: Addresses['temporal'] },
): Promise<Uplink> {
  const link = await createLink(temporal, network.address);
  const machine = network.add();
  return {
    kind: 'namespace',
    env: {
      DEVFLOW_DATABASE_URL: databaseUrl(network.address, postgresPort),
      DEVFLOW_TEMPORAL_ADDRESS: `${network.address}:${link.port}`,
    },
    ...machine,
    close() {
      machine.close();
      link.close();
    },
  };
}

/** By ports of the test's own on the loopback. A cut breaks connections there. */
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

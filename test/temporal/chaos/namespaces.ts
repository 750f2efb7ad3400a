import { execFileSync } from 'node:child_process';
import { createLink, type Link } from './link.ts';
import { type Addresses, databaseUrl, type Uplink } from './uplink.ts';

/**
 * A bridge of the test's own, and hosts in network namespaces on it. Postgres listens on its address. Temporal's development
 * server takes no address but the loopback's, so a link leads there.
 */
export interface Bridge {
  address: string;
  /** Who may log in to Postgres. */
  range: string;
  uplink(servers: { postgresPort: number; temporal: Addresses['temporal'] }): Promise<Uplink>;
  close(): void;
}

const ip = (...words: string[]) => execFileSync('ip', words, { stdio: 'pipe' });

/** Undefined where this user may make no namespaces. */
export function openBridge(): Bridge | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const name = `dfc${process.pid}`;
  const net = `10.231.${process.pid % 256}`;
  try {
    ip('link', 'add', name, 'type', 'bridge');
    ip('addr', 'add', `${net}.1/24`, 'dev', name);
    ip('link', 'set', name, 'up');
  } catch {
    return undefined;
  }
  let hosts = 0;
  return {
    address: `${net}.1`,
    range: `${net}.0/24`,
    async uplink({ postgresPort, temporal }) {
      hosts += 1;
      const link = await createLink(temporal, `${net}.1`);
      return namespaceUplink({ bridge: name, net, nth: hosts, postgresPort, link });
    },
    close: () => void ip('link', 'del', name),
  };
}

interface Place {
  bridge: string;
  net: string;
  nth: number;
  postgresPort: number;
  link: Link;
}

function namespaceUplink({ bridge, net, nth, postgresPort, link }: Place): Uplink {
  const [space, cable] = [`${bridge}-${nth}`, `${bridge}v${nth}`];
  let boots = 0;
  const inside = (...words: string[]) => ip('-n', space, ...words);

  const powerOn = () => {
    boots += 1;
    ip('netns', 'add', space);
    ip('link', 'add', cable, 'master', bridge, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    ip('link', 'set', cable, 'up');
    // Every second time as a laptop that was carried to another network.
    inside('addr', 'add', `${net}.${nth * 20 + Math.floor(boots / 2)}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) inside('link', 'set', device, 'up');
  };
  // The sockets of killed processes go with the namespace, and say nothing without a cable.
  const remove = () => {
    ip('link', 'del', cable);
    ip('netns', 'del', space);
  };
  powerOn();
  return {
    kind: 'namespace',
    env: {
      DEVFLOW_DATABASE_URL: databaseUrl(`${net}.1`, postgresPort),
      DEVFLOW_TEMPORAL_ADDRESS: `${net}.1:${link.port}`,
    },
    words: ['ip', 'netns', 'exec', space],
    freeze: () => void ip('link', 'set', cable, 'nomaster'),
    cut: () => void inside('link', 'set', 'eth0', 'down'),
    thaw() {
      inside('link', 'set', 'eth0', 'up');
      ip('link', 'set', cable, 'master', bridge);
    },
    powerOff: () => void ip('link', 'set', cable, 'nomaster'),
    powerOn() {
      remove();
      powerOn();
    },
    close() {
      remove();
      link.close();
    },
  };
}

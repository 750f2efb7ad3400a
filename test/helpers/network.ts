import { execFileSync } from 'node:child_process';

/** A bridge of the test's own, with machines on it: network namespaces. Servers of this machine listen on its address. */
export interface Network {
  address: string;
  /** Who may log in to Postgres. */
  range: string;
  add(): NetworkMachine;
  close(): void;
}

export interface NetworkMachine {
  /** The words before a command that runs there. */
  words: readonly string[];
  /** Nothing passes, and nobody is told. */
  freeze(): void;
  /** The network is said to be unreachable there. */
  cut(): void;
  /** Ends `freeze` and `cut`. */
  thaw(): void;
  /** As when the power goes: what is open stays open and silent. Call it before its processes are killed. */
  powerOff(): void;
  /** Once its processes are gone. Every second time it has another address, as a laptop that was carried elsewhere. */
  powerOn(): void;
  close(): void;
}

const ip = (...words: string[]) => execFileSync('ip', words, { stdio: 'pipe' });

/** What `ip` says where root may make no namespaces, as in most containers. */
const MAY_NOT = /ENOENT|Operation not permitted|Permission denied/;

/** Undefined where this user may make no namespaces. */
export function openNetwork(): Network | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const name = `dfn${process.pid}`;
  const net = `10.231.${process.pid % 256}`;
  try {
    ip('netns', 'add', name);
    ip('netns', 'del', name);
    ip('link', 'add', name, 'type', 'bridge');
  } catch (error) {
    if (!MAY_NOT.test(String(error))) throw error;
    return undefined;
  }
  const close = () => void ip('link', 'del', name);
  try {
    ip('addr', 'add', `${net}.1/24`, 'dev', name);
    ip('link', 'set', name, 'up');
  } catch (error) {
    close();
    throw error;
  }
  let machines = 0;
  return {
    address: `${net}.1`,
    range: `${net}.0/24`,
    add() {
      machines += 1;
      return addMachine(name, net, machines);
    },
    close,
  };
}

function addMachine(bridge: string, net: string, nth: number): NetworkMachine {
  const [space, cable] = [`${bridge}-${nth}`, `${bridge}v${nth}`];
  let boots = 0;
  const inside = (...words: string[]) => ip('-n', space, ...words);
  // A cable that only left its bridge would still bring packets: this machine takes them on any device.
  const unplug = () => void ip('link', 'set', cable, 'down');

  const boot = () => {
    boots += 1;
    ip('netns', 'add', space);
    ip('link', 'add', cable, 'master', bridge, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    ip('link', 'set', cable, 'up');
    inside('addr', 'add', `${net}.${nth * 20 + Math.floor(boots / 2)}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) inside('link', 'set', device, 'up');
  };
  // The sockets of killed processes go with the namespace, and say nothing without a cable.
  const remove = () => {
    ip('link', 'del', cable);
    ip('netns', 'del', space);
  };
  boot();
  return {
    words: ['ip', 'netns', 'exec', space],
    freeze: unplug,
    cut: () => void inside('link', 'set', 'eth0', 'down'),
    thaw() {
      inside('link', 'set', 'eth0', 'up');
      ip('link', 'set', cable, 'up');
    },
    powerOff: unplug,
    powerOn() {
      remove();
      boot();
    },
    close: remove,
  };
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** What lies between a host and a server: a port that passes everything on until a test disturbs it. */
export interface Link {
  port: number;
  /** Passes nothing on, and tells neither end. New connections are accepted and get no answer. */
  freeze(): void;
  thaw(): void;
  /** Resets every connection, and each new one until `thaw`. */
  cut(): void;
  /** To the server, the connections of now stay open and silent for ever, whatever becomes of the host's processes. */
  loseHost(): void;
  close(): void;
}

interface Pair {
  host: Socket;
  /** Absent until the link passes it on. */
  server?: Socket;
  /** The host lost its power. */
  isLost?: boolean;
}

/** Listens on a free port of an address for a host. */
export async function createLink(target: NetConnectOpts, address = '127.0.0.1'): Promise<Link> {
  const pairs = new Set<Pair>();
  let state: 'open' | 'frozen' | 'cut' = 'open';
  const living = () => [...pairs].filter(({ isLost }) => !isLost);

  const drop = (pair: Pair) => {
    pairs.delete(pair);
    pair.host.resetAndDestroy();
    // It may be a Unix socket, which knows no reset.
    pair.server?.destroy();
  };
  const watch = (socket: Socket, pair: Pair) => {
    socket.on('error', () => {});
    socket.on('close', () => pair.isLost || drop(pair));
  };
  const join = (pair: Pair) => {
    if (!pair.server) {
      pair.server = connect({ ...target, allowHalfOpen: true });
      watch(pair.server, pair);
    }
    pair.host.pipe(pair.server);
    pair.server.pipe(pair.host);
  };
  const part = ({ host, server }: Pair) => {
    for (const each of [host, server]) each?.unpipe().pause();
  };

  const listener = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (host) => {
    const pair: Pair = { host };
    pairs.add(pair);
    watch(host, pair);
    if (state === 'cut') drop(pair);
    if (state === 'open') join(pair);
  });
  listener.listen(0, address);
  await once(listener, 'listening');

  return {
    port: (listener.address() as AddressInfo).port,
    freeze() {
      state = 'frozen';
      living().forEach(part);
    },
    thaw() {
      state = 'open';
      living().forEach(join);
    },
    cut() {
      state = 'cut';
      living().forEach(drop);
    },
    loseHost() {
      for (const pair of living()) {
        part(pair);
        pair.isLost = true;
      }
    },
    close() {
      listener.close();
      [...pairs].forEach(drop);
    },
  };
}

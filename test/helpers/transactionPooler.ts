import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { TestServer } from './globalPostgres.ts';

/**
 * A pooler in transaction mode before the tests' server, as PgBouncer is one: between transactions, all clients share one session.
 * Knows no passwords. Resolves with its port on 127.0.0.1.
 */
export async function startTransactionPooler(server: TestServer, database: string): Promise<number> {
  const session = connect(`${server.host}/.s.PGSQL.${server.port}`);
  const sockets = new Set<Socket>([session]);
  /** Whoever is in a transaction, and those behind it. */
  const queue: { client: Socket; bytes: Buffer[] }[] = [];
  let isReady = false;

  const next = () => {
    if (!isReady || queue.length === 0) return;
    for (const bytes of queue[0]?.bytes.splice(0) ?? []) session.write(bytes);
  };
  session.write(startup({ user: server.user, database }));
  const messages = splitMessages((type, message) => {
    if (isReady) queue[0]?.client.write(message);
    if (type !== READY || message[5] !== IDLE) return;
    if (isReady) queue.shift();
    isReady = true;
    next();
  });
  session.on('data', messages);

  const listener = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {});
    client.once('data', () => {
      client.write(WELCOME);
      client.on('data', (bytes) => {
        // `X` ends the client, and not the session.
        if (bytes[0] === END) return void client.end();
        const waiting = queue.find((each) => each.client === client);
        if (waiting) waiting.bytes.push(bytes);
        else queue.push({ client, bytes: [bytes] });
        if (queue[0]?.client === client) next();
      });
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => listener.close(resolve));
  });
  return (listener.address() as { port: number }).port;
}

const READY = 'Z'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);
const END = 'X'.charCodeAt(0);
/** The login succeeded, and the session is ready. */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, READY, 0, 0, 0, 5, IDLE]);

function startup(settings: Record<string, string>): Buffer {
  const words = Object.entries(settings).flat();
  const text = Buffer.from(`${words.join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(text.length + 8, 0);
  head.writeInt32BE(3 << 16, 4);
  return Buffer.concat([head, text]);
}

/** Calls back for each whole message of a server. */
function splitMessages(onMessage: (type: number, message: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5) {
      const length = 1 + rest.readInt32BE(1);
      if (rest.length < length) return;
      onMessage(rest[0] as number, rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

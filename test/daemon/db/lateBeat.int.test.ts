import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { takeLeadership } from '../../../daemon/db/leader.ts';
import { listHosts } from '../../../daemon/store/hosts.ts';
import { useDatabase } from '../../helpers/postgres.ts';

const db = useDatabase();

/** A link to Postgres that can stop passing on what its client says. */
async function givenLink({ host, port }: pg.ClientConfig) {
  const sockets = new Set<Socket>();
  const held: { to: Socket; bytes: Buffer }[] = [];
  let isFrozen = false;
  let answers = 0;
  const server = createServer((client) => {
    const postgres = connect(join(host ?? '', `.s.PGSQL.${port}`));
    for (const socket of [client, postgres]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    client.on('data', (bytes) => (isFrozen ? held.push({ to: postgres, bytes }) : postgres.write(bytes)));
    postgres.on('data', (bytes) => {
      answers += 1;
      client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    freeze: () => {
      isFrozen = true;
    },
    held: () => held.length,
    answers: () => answers,
    /** Lets through what was held, and nothing more. */
    deliver: () => {
      for (const { to, bytes } of held.splice(0)) to.write(bytes);
    },
  };
}

test('a renewal that arrives late does not show a dead host as alive', async () => {
  const link = await givenLink(db().connection);
  const connection = { ...db().connection, host: '127.0.0.1', port: link.port };
  await takeLeadership({ connection }, { host: 'h1', shared: true, onLost: () => {}, beatMs: 20, ttlMs: 3_600_000 });
  const silentMs = async () => (await listHosts(db().pool))[0]?.silentMs ?? 0;
  link.freeze();
  await expect.poll(link.held).toBeGreaterThan(0);
  await expect.poll(silentMs).toBeGreaterThan(500);
  const before = link.answers();
  link.deliver();
  await expect.poll(link.answers).toBeGreaterThan(before);
  expect(await silentMs()).toBeGreaterThan(400);
});

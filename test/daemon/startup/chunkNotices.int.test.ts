import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../daemon/db/listen.ts';
import { type BusItem, createBus } from '../../../daemon/events/bus.ts';
import { createChunkNotices, HOSTS_CHANNEL } from '../../../daemon/startup/chunkNotices.ts';
import { useDatabase } from '../../helpers/postgres.ts';

const db = useDatabase();
const CHUNK = { runId: 'r1', sessionId: 's1', seq: 7 };

test('a transcript that grows on one host is announced on the other hosts only', async () => {
  const heard: Record<string, BusItem[]> = { near: [], far: [] };
  const others: string[] = [];
  const [near, far] = ['near', 'far'].map((host) => {
    const bus = createBus();
    bus.listen('r1', (item) => heard[host]?.push(item));
    const notices = createChunkNotices(db().pool, bus, host);
    let isOpen = false;
    const listening = listen(db().connection, HOSTS_CHANNEL, {
      onNotice: (notice) => notices.receive(notice) || others.push(`${host} ${notice}`),
      onOpen() {
        isOpen = true;
      },
    });
    onTestFinished(() => listening.close());
    return { notices, isOpen: () => isOpen };
  });
  await expect.poll(() => near?.isOpen() && far?.isOpen()).toBe(true);
  far?.notices.send(CHUNK);
  // A commit is another kind of notice. It arrives last, on both hosts.
  await db().pool.query('SELECT pg_notify($1, $2)', [HOSTS_CHANNEL, 'far r1:3']);
  await expect.poll(() => others.toSorted()).toEqual(['far far r1:3', 'near far r1:3']);
  await expect.poll(() => heard.near?.length).toBe(1);
  expect(heard).toEqual({
    near: [{ runId: 'r1', events: [], hints: [{ event: 'transcript.chunk_appended', data: CHUNK }] }],
    far: [],
  });
});

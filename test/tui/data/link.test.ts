import { describe, expect, it } from 'vitest';
import { DevflowError } from '../../../schemas/errors.ts';
import { createLink } from '../../../tui/data/link.ts';
import type { Link } from '../../../tui/model/model.ts';
import { handTimers } from '../../helpers/handTimers.ts';
import { type FakeClient, fakeClient } from '../given.ts';

function givenLink(version = '1') {
  const states: Link[] = [];
  const clients: (FakeClient | undefined)[] = [];
  const told: unknown[] = [];
  const opened: FakeClient[] = [];
  const daemon = { isThere: true, version: '1', answers: true };
  const keeper: { news?: { sentence: string; waits: boolean } } = {};
  const time = handTimers();
  const link = createLink({
    socketPath: '/s',
    version,
    timers: time,
    onLink: (state) => void states.push(state),
    onClient: (client) => void clients.push(client as FakeClient | undefined),
    onNotification: (notification) => void told.push(notification),
    keeperNews: () => keeper.news,
    async open() {
      if (!daemon.isThere) throw new DevflowError('daemon_not_running', 'no daemon answers');
      const client = fakeClient(() => {
        if (!daemon.answers) throw new DevflowError('internal', 'not now');
        return { daemon: { version: daemon.version } };
      });
      opened.push(client);
      return client;
    },
  });
  const settle = (ms = 0) => time.advance(ms);
  return { link, states, clients, told, opened, daemon, keeper, settle, last: () => states.at(-1) };
}

describe('the link to the daemon', () => {
  it('connects, and forwards notifications', async () => {
    const { link, states, told, opened, settle } = givenLink();
    link.connect();
    link.connect();
    await settle();
    expect(states).toEqual([{ state: 'up' }]);
    expect(opened).toHaveLength(1);
    opened[0]?.subscriptions[0]?.tell({ event: 'heartbeat' });
    expect(told).toEqual([{ event: 'heartbeat' }]);
  });

  it('reconnects when the daemon is back', async () => {
    const { link, states, clients, opened, daemon, told, settle, last } = givenLink();
    link.connect();
    await settle();
    daemon.isThere = false;
    opened[0]?.drop();
    await settle();
    expect(last()).toMatchObject({ state: 'away' });
    expect(clients).toEqual([opened[0], undefined]);
    await settle(30_000);
    expect(states).toHaveLength(2);
    daemon.isThere = true;
    await settle(2_100);
    expect(last()).toEqual({ state: 'up' });
    expect(clients.at(-1)).toBe(opened[1]);
    // The old connection is ignored.
    opened[0]?.subscriptions[0]?.tell({ event: 'heartbeat' });
    expect(told).toEqual([]);
  });

  it('does not retry if there was never a daemon, until a person asks', async () => {
    const { link, states, daemon, settle, last } = givenLink();
    daemon.isThere = false;
    link.connect();
    await settle(60_000);
    expect(states).toEqual([{ state: 'none', starting: false, why: 'No daemon answers (daemon_not_running).' }]);
    daemon.isThere = true;
    link.connect();
    await settle();
    expect(last()).toEqual({ state: 'up' });
  });

  it('says what the keeper of the daemon waits for, and connects once that has started one', async () => {
    const { link, states, daemon, keeper, opened, settle, last } = givenLink();
    daemon.isThere = false;
    keeper.news = { sentence: 'It waits.', waits: true };
    link.connect();
    await settle(30_000);
    expect(states).toEqual([{ state: 'none', starting: false, why: 'It waits.' }]);
    // `devflow up` replaces the keeper by its own.
    keeper.news = undefined;
    await settle(30_000);
    expect(last()).toMatchObject({ state: 'none', why: 'No daemon answers (daemon_not_running).' });
    daemon.isThere = true;
    await settle(2_100);
    expect(last()).toEqual({ state: 'up' });
    daemon.isThere = false;
    opened[0]?.drop();
    await settle();
    keeper.news = { sentence: 'It waits.', waits: true };
    await settle(30_000);
    expect(last()).toMatchObject({ state: 'away', why: 'It waits.' });
    keeper.news = { sentence: 'It gave up.', waits: false };
    await settle(2_100);
    expect(states.slice(3)).toMatchObject([{ state: 'away' }, { why: 'It waits.' }, { why: 'It gave up.' }]);
  });

  it('subscribes before it reads, and passes on what changed meanwhile', async () => {
    const told: string[] = [];
    const client = fakeClient((method) => {
      client.subscriptions[0]?.tell({ event: 'run.state_changed' });
      told.push(method);
      return { daemon: { version: '1' } };
    });
    const link = createLink({
      socketPath: '/s',
      version: '1',
      onLink: () => {},
      onClient: (_, status) => void told.push(`client ${status?.daemon.version}`),
      onNotification: ({ event }) => void told.push(event),
      open: async () => client,
    });
    client.forgetEarly = () => void told.push('early answers are old');
    link.connect();
    await expect.poll(() => told).toHaveLength(4);
    expect(told).toEqual(['daemon.status', 'client 1', 'early answers are old', 'run.state_changed']);
  });

  it('reports a daemon of another version, and does not use it', async () => {
    const { link, clients, daemon, settle, last } = givenLink();
    daemon.version = '2';
    link.connect();
    await settle(60_000);
    expect(last()).toEqual({ state: 'other version', theirs: '2', ours: '1' });
    expect(clients).toEqual([]);
  });

  it('closes a connection that failed half-way', async () => {
    const { link, opened, daemon, settle, last } = givenLink();
    daemon.answers = false;
    link.connect();
    await settle();
    expect(last()).toMatchObject({ state: 'none' });
    let isClosed = false;
    void opened[0]?.closed.then(() => {
      isClosed = true;
    });
    await settle();
    expect(isClosed).toBe(true);
  });

  it('closes a connection on which no answer has come yet', async () => {
    const client = fakeClient(() => new Promise(() => {}));
    const link = createLink({
      socketPath: '/s',
      version: '1',
      onLink: () => {},
      onClient: () => {},
      onNotification: () => {},
      open: async () => client,
    });
    link.connect();
    await expect.poll(() => client.asked).toHaveLength(1);
    link.close();
    await client.closed;
  });

  it('stops retrying once it is closed', async () => {
    const { link, states, opened, settle } = givenLink();
    link.connect();
    await settle();
    link.close();
    await settle(60_000);
    expect(opened).toHaveLength(1);
    expect(states).toEqual([{ state: 'up' }]);
  });
});

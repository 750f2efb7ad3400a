import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { createBus } from '../../../../daemon/events/bus.ts';
import type { Post } from '../../../../daemon/notify/webhook/deliver.ts';
import { createWebhook } from '../../../../daemon/notify/webhook/webhook.ts';
import { createWebhookNotices } from '../../../../daemon/store/webhookNotices.ts';
import { NewsKind } from '../../../../schemas/enums.ts';
import { handTimers } from '../../../helpers/handTimers.ts';
import { useDatabase } from '../../../helpers/postgres.ts';
import { until } from '../../../helpers/until.ts';
import { bound, firstPhaseDone, given, type Story, sent, stalls, started } from '../../core/support/given.ts';

const database = useDatabase();
const working = given({}, bound, started, sent);
const atGate = given({}, ...firstPhaseDone);
const stalled = given({}, bound, started, sent, stalls('planner', 'permission'));

const changes = { phases: [], approvals: [], sessions: [] };

/** A daemon with a webhook on the test's database. `answers`: false while the receiver is away. */
function daemonWith({
  kinds = NewsKind.options,
  host = null as string | null,
  ended = [] as Run[],
}: {
  kinds?: readonly NewsKind[];
  host?: string | null;
  ended?: Run[];
} = {}) {
  const bus = createBus();
  const timers = handTimers();
  const runs = new Map<string, Run>(ended.map((run) => [run.id, run]));
  const posts: { id: string; kind: string; text: string }[] = [];
  const state = { isAway: false };
  const queued = new Map<string, { needsPerson: boolean }>();
  const log = { warn: vi.fn() };
  const webhook = createWebhook({
    settings: { url: 'https://hooks.example.org/T0/secret', secret: undefined, kinds },
    notices: createWebhookNotices(database().pool, host),
    bus,
    queuedRuns: () => queued,
    readRun: async (runId) => runs.get(runId),
    deliver: async ({ body }: Post) => {
      if (state.isAway) return { is: 'failed', reason: 'ECONNREFUSED' };
      posts.push(JSON.parse(body));
      return { is: 'taken' };
    },
    now: () => new Date(timers.now()),
    after: (ms, act) => timers.after(ms, act),
    log,
  });
  onTestFinished(() => webhook.close());
  return {
    webhook,
    posts,
    timers,
    log,
    state,
    holds(...stories: Story[]) {
      for (const { run } of stories) runs.set(run.id, run);
      return stories.map(({ run }) => run);
    },
    queues({ run }: Story, needsPerson: boolean) {
      runs.set(run.id, run);
      queued.set(run.id, { needsPerson });
      bus.hint(null, { event: 'queue.changed', data: {} });
    },
    happens({ run, latest }: Story) {
      runs.set(run.id, run);
      bus.publish({ runId: run.id, events: latest, changes });
    },
  };
}

const waiting = async () => (await createWebhookNotices(database().pool, null).countWaiting()).waiting;

test('tells a gate, a stall and an end once each, and nothing else', async () => {
  const { happens, posts, webhook, timers } = daemonWith();
  happens(working);
  happens(stalled);
  await until('the stall is sent', () => posts.length === 1);
  happens(stalled);
  happens(atGate);
  await until('both are sent', () => posts.length === 2);
  expect(posts.map(({ kind }) => kind)).toEqual(['agent', 'decision']);
  await webhook.catchUp([stalled.run, atGate.run]);
  await webhook.close();
  expect(posts).toHaveLength(2);
  expect(timers.pending()).toBe(0);
});

test('tells only the kinds that the person chose', async () => {
  const { happens, posts, webhook } = daemonWith({ kinds: ['decision'] });
  happens(stalled);
  happens(atGate);
  await until('one is sent', () => posts.length === 1);
  await webhook.close();
  expect(posts).toMatchObject([{ kind: 'decision' }]);
});

test('tells once of a queued run that no longer begins by itself', async () => {
  const { queues, posts, webhook } = daemonWith();
  const queued = given({});
  queues(queued, false);
  queues(queued, true);
  await until('it is sent', () => posts.length === 1);
  queues(queued, true);
  await webhook.catchUp([queued.run]);
  await webhook.close();
  expect(posts).toMatchObject([{ kind: 'queue', how: `devflow run move ${queued.run.id.slice(0, 8)} --release` }]);
});

test('a daemon that was killed before it noted anything tells it at its next start', async () => {
  const first = daemonWith();
  first.happens(stalled);
  await until('it is sent', () => first.posts.length === 1);
  await first.webhook.close();
  const next = daemonWith();
  await next.webhook.catchUp(next.holds(stalled, atGate));
  await until('the gate is sent', () => next.posts.length === 1);
  await next.webhook.close();
  expect(next.posts).toMatchObject([{ kind: 'decision' }]);
});

test('the next daemon sends what the last one could not, with the same id', async () => {
  const first = daemonWith();
  first.state.isAway = true;
  first.happens(atGate);
  await until('it waits', waiting);
  await until('a try failed', () => first.timers.pending() === 1);
  expect(await first.webhook.status()).toMatchObject({
    host: 'hooks.example.org',
    waiting: 1,
    problem: 'ECONNREFUSED',
  });
  await first.webhook.close();
  const next = daemonWith();
  await next.webhook.catchUp([]);
  await until('the sender waits for its time', () => next.timers.pending() === 1);
  await next.timers.advance(1000);
  await until('nothing waits', async () => (await waiting()) === 0);
  expect(next.posts).toHaveLength(1);
  expect(await next.webhook.status()).toEqual({ host: 'hooks.example.org', waiting: 0, since: null, problem: null });
  await next.webhook.close();
});

test('two daemons on one database tell everything once', async () => {
  const [one, two] = [daemonWith({ host: 'one' }), daemonWith({ host: 'two' })];
  for (const each of [one, two]) each.happens(atGate);
  await until('it is sent', () => one.posts.length + two.posts.length === 1);
  await one.webhook.close();
  await two.webhook.close();
  expect(one.posts.length + two.posts.length).toBe(1);
});

test('a webhook that is new tells what waits now, and no run that ended before', async () => {
  const over = { ...working.run, id: 'over', state: 'failed' as const, endedAt: '2025-12-31T23:59:00.000Z' };
  const { webhook, posts, holds } = daemonWith({ ended: [over] });
  await webhook.catchUp(holds(atGate));
  await until('the gate is sent', () => posts.length === 1);
  await webhook.close();
  expect(posts).toMatchObject([{ kind: 'decision' }]);
});

test('keeps a thousand, and says in the log that the oldest went', async () => {
  const { webhook, state, log, timers } = daemonWith();
  state.isAway = true;
  const full = Array.from(
    { length: 1000 },
    () => ({ id: randomUUID(), at: new Date(timers.now()), kind: 'server', body: '' }) as const,
  );
  await createWebhookNotices(database().pool, null).add(full);
  webhook.tell({ kind: 'server', key: 'server:one more', since: null, title: 'devflow', text: 'away' });
  await until('the oldest went', () => log.warn.mock.calls.some(([facts]) => facts.dropped === 1));
  await webhook.close();
  expect(await waiting()).toBe(1000);
});

test('a failure of the database loses nothing for longer than until the next event', async () => {
  const { happens, posts, webhook, log } = daemonWith();
  const { pool } = database();
  await pool.query('ALTER TABLE webhook_notices RENAME TO gone');
  happens(atGate);
  await until('it is logged', () => log.warn.mock.calls.length === 1);
  await pool.query('ALTER TABLE gone RENAME TO webhook_notices');
  happens(atGate);
  await until('it is sent', () => posts.length === 1);
  await webhook.close();
});

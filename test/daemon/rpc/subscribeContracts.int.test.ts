import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../cli/client/connect.ts';
import { createEventMethods } from '../../../daemon/api/events/eventMethods.ts';
import { createContractWatches } from '../../../daemon/contracts/watchContracts.ts';
import { createBus } from '../../../daemon/events/bus.ts';
import { createSubscriptions } from '../../../daemon/events/subscriptions.ts';
import type { Handlers } from '../../../daemon/rpc/handlers.ts';
import { startRpc } from '../../../daemon/rpc/start.ts';
import type { NotificationParams } from '../../../schemas/rpc/notifications.ts';
import { eventually } from '../../helpers/eventually.ts';

/** A server with the daemon's own subscriptions, and a repository with a state directory. */
async function given() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-subscribe-contracts-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const repo = join(root, 'repo');
  mkdirSync(join(repo, '.devt/state'), { recursive: true });
  const watches = createContractWatches();
  const subscriptions = createSubscriptions({
    bus: createBus(),
    readEvents: async () => [],
    readLastSeq: async () => 0,
    watchContracts: watches.watch,
    onError: (error) => expect.unreachable(String(error)),
  });
  const handlers = createEventMethods({ ids: { run: async (ref) => ref }, subscriptions }) as Handlers;
  const socketPath = join(root, 's');
  const server = await startRpc({ socketPath, handlers, log: { error: () => {} } });
  onTestFinished(() => server.close(100));
  const open = async () => {
    const client = await connect(socketPath);
    onTestFinished(() => client.close());
    return client;
  };
  return { repo, watches, open };
}

it('watches contract files from the first viewer to the last, however each one leaves', async () => {
  const { repo, watches, open } = await given();
  const [first, second] = [await open(), await open()];
  expect(watches.count()).toBe(0);
  const seen: NotificationParams[] = [];
  const params = { repo, kinds: ['contracts.changed' as const] };
  const subscription = await first.subscribe(params, (notification) => seen.push(notification));
  await second.subscribe(params, () => {});
  expect(watches.count()).toBe(3);

  await eventually(() => expect(seen).not.toEqual([]));
  const { length } = seen;
  writeFileSync(join(repo, '.devt/state/plan.md'), 'x');
  await eventually(() => expect(seen.length).toBeGreaterThan(length));
  expect(seen.at(-1)).toEqual({ subscriptionId: subscription.id, event: 'contracts.changed', data: { repo } });

  await subscription.close();
  expect(watches.count()).toBe(3);
  second.close();
  await eventually(() => expect(watches.count()).toBe(0));
});

it('refuses a repository that does not exist, and watches nothing', async () => {
  const { repo, watches, open } = await given();
  const client = await open();
  const subscribing = client.subscribe({ repo: join(repo, 'none') }, () => {});
  await expect(subscribing).rejects.toMatchObject({ code: 'contract_not_found' });
  expect(watches.count()).toBe(0);
});

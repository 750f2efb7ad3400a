import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createAnswer, createHostQuestions } from '../../../../daemon/engine/temporal/hostQuestions.ts';
import { loadSdk } from '../../../../daemon/engine/temporal/loadSdk.ts';
import { installRuntime } from '../../../../daemon/engine/temporal/runtime.ts';
import { queueOfHost } from '../../../../daemon/engine/temporal/workers.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import { until } from '../../../helpers/until.ts';
import { silent } from '../local/support/performing.ts';
import { temporalPlace } from './support/temporalPlace.ts';

const ALIVE_MS = 1_000;

/** A daemon that asks, and a worker of the host `far` with one activity. */
async function given(answerOf: (sdk: ReturnType<typeof loadSdk>) => (...args: never[]) => Promise<unknown>) {
  const { address, namespace, packages } = temporalPlace();
  const sdk = loadSdk(packages);
  installRuntime(sdk, { ...silent, trace() {} });
  const prefix = `ask-${randomUUID()}`;
  const native = await sdk.worker.NativeConnection.connect({ address });
  const worker = await sdk.worker.Worker.create({
    connection: native,
    namespace,
    taskQueue: queueOfHost(prefix, 'far'),
    activities: { answer: answerOf(sdk) },
    shutdownGraceTime: 100,
    shutdownForceTime: 1_000,
    maxHeartbeatThrottleInterval: ALIVE_MS / 3,
    maxConcurrentActivityTaskExecutions: 10,
  });
  const running = worker.run();
  const connection = await sdk.client.Connection.connect({ address });
  onTestFinished(async () => {
    worker.shutdown();
    await running.catch(() => {});
    await Promise.all([native.close(), connection.close()]);
  });
  const client = new sdk.client.Client({ connection, namespace });
  const server = { away: () => undefined, check: async () => undefined, untilAway: () => new Promise<never>(() => {}) };
  return createHostQuestions({ sdk, connection, client, server, prefix, aliveWithinMs: ALIVE_MS });
}

test('waits for an answer that takes long, as long as the other host is alive', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  let askedAt = 0;
  const { askHost } = await given((sdk) =>
    createAnswer(
      sdk,
      () => (method) => {
        askedAt = performance.now();
        return promise.then(() => ({ result: method }));
      },
      ALIVE_MS,
    ),
  );
  const answer = askHost('far', 'run.verify', {});
  await until(
    'the other host has worked for four times as long as it may be silent',
    () => askedAt > 0 && performance.now() - askedAt > 4 * ALIVE_MS,
  );
  resolve(undefined);
  expect(await answer).toEqual({ result: 'run.verify' });
});

test('names a host that took the question and gave no more sign of life', async () => {
  const { askHost } = await given(() => () => new Promise(() => {}));
  await expect(askHost('far', 'run.verify', {})).rejects.toMatchObject({
    code: 'host_unreachable',
    message: 'The host far does not answer.',
    data: { host: 'far' },
  });
});

test('names a host that takes no question, and keeps the error that one answers', async () => {
  const { askHost } = await given((sdk) =>
    createAnswer(sdk, () => async () => {
      throw new DevflowError('worktree_dirty', 'It has changes.', { recoveryHint: 'Commit.', data: { lane: 'main' } });
    }),
  );
  await expect(askHost('nowhere', 'run.diff', {})).rejects.toMatchObject({ code: 'host_unreachable' });
  await expect(askHost('far', 'run.cleanup', {})).rejects.toMatchObject({
    code: 'worktree_dirty',
    message: 'It has changes.',
    recoveryHint: 'Commit.',
  });
});

import { expect, test } from 'vitest';
import { awaitStableDaemon, startWhenFree } from '../../../cli/daemon/awaitStableDaemon.ts';
import { DevflowError, type ErrorCode } from '../../../schemas/errors.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';

type Status = RpcResult<'daemon.status'>;
const status = (ok: boolean) => ({ database: { ok } }) as Status;
const fault = (code: ErrorCode) => new DevflowError(code, 'it was so');

/** Answers one after the other, the last one for ever. */
function answers(...each: (Status | DevflowError | undefined)[]): () => Promise<Status | undefined> {
  return async () => {
    const answer = each.length > 1 ? each.shift() : each[0];
    if (answer instanceof DevflowError) throw answer;
    return answer;
  };
}

test('waits until a daemon has ended that is stopping or lost its database', async () => {
  expect(
    await awaitStableDaemon(answers(fault('daemon_not_running'), status(false), fault('db_unreachable'), undefined)),
  ).toBe(undefined);
  expect(await awaitStableDaemon(answers(fault('shutting_down'), status(true)))).toEqual(status(true));
});

test('returns a daemon that stays at the deadline, and throws other faults at once', async () => {
  expect(await awaitStableDaemon(answers(status(false)), 0)).toEqual(status(false));
  await expect(awaitStableDaemon(answers(fault('db_unreachable')), -1)).rejects.toMatchObject({
    code: 'db_unreachable',
  });
  await expect(awaitStableDaemon(answers(fault('daemon_unresponsive')))).rejects.toMatchObject({
    code: 'daemon_unresponsive',
  });
});

test('retries a start while an ending daemon holds the lock, but not for a live daemon', async () => {
  const held = fault('daemon_running');
  const start =
    (...outcomes: (DevflowError | string)[]) =>
    async () => {
      const outcome = outcomes.shift();
      if (outcome instanceof DevflowError) throw outcome;
      return outcome;
    };
  expect(await startWhenFree(start(held, 'up'), answers(undefined))).toBe('up');
  await expect(startWhenFree(start(held, 'up'), answers(status(true)))).rejects.toBe(held);
  await expect(startWhenFree(start(fault('config_invalid')), answers(undefined))).rejects.toMatchObject({
    code: 'config_invalid',
  });
});

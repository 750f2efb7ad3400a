import { expect, it, vi } from 'vitest';
import { createMessageMethods } from '../../../../daemon/api/messages/messageMethods.ts';
import { given } from '../../core/support/given.ts';

it('refuses a message that is to be typed during a turn, and records nothing', async () => {
  const { run } = given({});
  const queueMessage = vi.fn();
  const methods = createMessageMethods({
    ids: { run: async () => run.id, session: async (ref) => ref },
    engine: { readRun: async () => run, queueMessage } as never,
    lists: { runOf: async () => run.id },
  });
  const wish = { target: run.id, text: 'Stop.', via: 'person', clientToken: run.id, now: true } as const;
  await expect(methods['message.send'](wish, {} as never)).rejects.toMatchObject({ code: 'usage' });
  expect(queueMessage).not.toHaveBeenCalled();
});

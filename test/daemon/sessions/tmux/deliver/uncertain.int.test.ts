import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentStall } from '../../../../../daemon/sessions/contract/adapter.ts';
import { HOOK_DIRECTORY } from '../../../../../daemon/sessions/tmux/observe/hookScript.ts';
import { useScriptedSessions } from '../../../../helpers/scriptedSession.ts';
import { until } from '../../../../helpers/until.ts';

const given = useScriptedSessions();
const timings = { pasteCapMs: 400, proofMs: 200, goneMs: 600, unreadMs: 600 };

/** An agent that took one prompt, and is about to forget the next one. */
async function givenForgetful(ways = '') {
  const session = await given({ scripted: `forget=2,${ways}`, timings });
  const { adapter, input, envelope } = session;
  const handle = await adapter.start(input);
  await adapter.sendPrompt(handle, envelope());
  await session.happened('turn-ended');
  const attempts = async () => (await session.journal()).map(({ dedupKeys }) => dedupKeys[0]);
  return { ...session, handle, attempts, forgotten: envelope({ attempt: 2 }) };
}

describe('a prompt that left the composer without a turn', () => {
  it('is pasted again by the next try if the record does not contain it', async () => {
    const { adapter, handle, forgotten, envelope, attempts, events } = await givenForgetful();
    await expect(adapter.sendPrompt(handle, forgotten)).rejects.toMatchObject({ code: 'prompt_send_transient' });
    await adapter.sendPrompt(handle, forgotten);
    expect(await events('forgotten')).toHaveLength(1);
    expect(await attempts()).toEqual([envelope().dedupKey, forgotten.dedupKey]);
  });

  describe('without a record', () => {
    it('is never pasted again unasked, not by the next daemon either', async () => {
      const { adapter, input, handle, next, forgotten, attempts, events } = await givenForgetful('hooks-off');
      const isAsked = { code: 'delivery_uncertain', class: 'human_required' };
      await expect(adapter.sendPrompt(handle, forgotten)).rejects.toMatchObject(isAsked);
      await expect(adapter.sendPrompt(handle, forgotten)).rejects.toMatchObject(isAsked);
      await adapter.release(handle);
      const successor = next();
      await successor.start(input);
      await expect(successor.sendPrompt(handle, forgotten)).rejects.toMatchObject(isAsked);
      expect([await attempts(), await events('pasted')]).toMatchObject([{ length: 1 }, { length: 2 }]);
    });

    it('is pasted again when a person says that it was not taken', async () => {
      const { adapter, handle, forgotten, envelope, attempts } = await givenForgetful('hooks-off');
      await expect(adapter.sendPrompt(handle, forgotten)).rejects.toMatchObject({ code: 'delivery_uncertain' });
      await adapter.sendPrompt(handle, forgotten, { assumeTaken: false });
      expect(await attempts()).toEqual([envelope().dedupKey, forgotten.dedupKey]);
    });

    it('counts as taken when a person says so', async () => {
      const { adapter, handle, forgotten, attempts, events } = await givenForgetful('hooks-off');
      await expect(adapter.sendPrompt(handle, forgotten)).rejects.toMatchObject({ code: 'delivery_uncertain' });
      const taken = await adapter.sendPrompt(handle, forgotten, { assumeTaken: true });
      expect(await adapter.sendPrompt(handle, forgotten)).toEqual(taken);
      expect([await attempts(), await events('pasted')]).toMatchObject([{ length: 1 }, { length: 2 }]);
    });

    it('counts as taken, and its turn as over that ended before that', async () => {
      const { adapter, input, envelope } = await given({ scripted: 'forget,hooks-off', timings });
      const told: (AgentStall | undefined)[] = [];
      adapter.onStall((_, stall) => told.push(stall));
      const handle = await adapter.start(input);
      await expect(adapter.sendPrompt(handle, envelope())).rejects.toMatchObject({ code: 'delivery_uncertain' });
      writeFileSync(join(input.sessionDir, HOOK_DIRECTORY, '1.1.Stop.json'), '{}');
      const writtenAt = Date.now();
      await until('nothing changes any more', () => Date.now() > writtenAt + 2000);
      await adapter.sendPrompt(handle, envelope(), { assumeTaken: true });
      await until('the end of its turn is told', () => told.at(-1)?.cause === 'idle');
    });
  });
});

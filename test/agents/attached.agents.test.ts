import { expect, test } from 'vitest';
import { until } from '../helpers/until.ts';
import { PROGRAMS } from './programs/pins.ts';
import { useRealSessions } from './support/realSession.ts';

const given = useRealSessions();

test.each(PROGRAMS)(
  '%s: a person on a small terminal sees what they type, and prompts arrive once',
  async (program) => {
    const { start, attach, adapter, model, envelope, becomes, press } = await given(program);
    const handle = await start();
    const terminal = await attach({ columns: 80, rows: 24 });
    for (const attempt of [1, 2]) {
      const prompt = envelope({ attempt });
      await adapter.sendPrompt(handle, prompt);
      await until('the turn is closed', () => model.closed(prompt.uuid));
      expect(model.deliveries(prompt.uuid)).toBe(1);
    }
    await becomes('READY');
    await terminal.type('typed by a person');
    await until('it is on the screen', async () => (await terminal.screen()).includes('typed by a person'));
    await press('C-c');
    await until('the draft is gone', async () => !(await terminal.screen()).includes('typed by a person'));
    expect(model.merged).toEqual([]);
  },
);

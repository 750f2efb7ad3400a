import { expect, test } from 'vitest';
import { until } from '../helpers/until.ts';
import { useRealSessions } from './support/realSession.ts';

const DAY = 24 * 60 * 60;
const given = useRealSessions();

test('the menu of a weekly limit is the limit with its date, and no question', async () => {
  const { start, envelope, adapter, becomes, model, told, press, screen } = await given('claude', {
    scenario: 'http-429-weekly',
    loggedIn: 'subscription',
  });
  const handle = await start();
  model.resets = Math.ceil(Date.now() / 1000 / DAY) * DAY + 5 * DAY;
  await adapter.sendPrompt(handle, envelope());
  await until('its menu is open', async () => /Stop and wait for limit to reset/.test(await screen()));
  await becomes('QUOTA');
  await until('its end is reported', () => told.at(-1)?.until?.getTime() === model.resets * 1000);
  expect(told.at(-1)).toMatchObject({ cause: 'quota', detail: expect.stringContaining('weekly limit · resets') });

  await press('Enter');
  await until('the menu is closed', async () => !/Stop and wait for limit to reset/.test(await screen()));
  await becomes('QUOTA');
  expect(told.map((stall) => stall?.cause)).not.toContain('question');
  expect(told.at(-1)?.until?.getTime()).toBe(model.resets * 1000);
});

test('the dialog of a limit of Gemini is the limit, though its title shows work', async () => {
  const it = await given('gemini', { scenario: 'http-429-reset' });
  const { start, envelope, adapter, becomes, model, told, press } = it;
  const handle = await start();
  // Gemini writes a full minute.
  model.resets = Math.ceil(Date.now() / 60_000) * 60 + 2 * 60 * 60;
  await adapter.sendPrompt(handle, envelope());
  await becomes('QUOTA');
  await until('its end is reported', () => told.at(-1)?.until !== undefined);
  expect(told.at(-1)).toMatchObject({ cause: 'quota', detail: expect.stringContaining('Access resets at') });
  expect(Math.abs((told.at(-1)?.until?.getTime() ?? 0) - model.resets * 1000)).toBeLessThanOrEqual(60_000);

  await press('Down');
  await until('it is chosen', async () => (await it.screen()).includes('● 2. Stop'));
  await press('Enter');
  await until('the dialog is closed', async () => !(await it.screen()).includes('2. Stop'));
  await becomes('QUOTA');
});

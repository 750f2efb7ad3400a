import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import '../../../helpers/fixedSeed.ts';
import { useScriptedSessions } from '../../../helpers/scriptedSession.ts';
import { until } from '../../../helpers/until.ts';

const given = useScriptedSessions();
const realNow = Date.now;
afterEach(() => {
  Date.now = realNow;
});

const HOUR = 3_600_000;

/** Sets this process's clock, so that it disagrees with all times that files and the agent's program have. */
function setClock(aheadMs: number): void {
  Date.now = () => realNow() + aheadMs;
}

it('takes each prompt once and knows the end of its turn, however the clock jumps', async () => {
  const { adapter, input, envelope, journal } = await given();
  const handle = await adapter.start(input);
  const offset = fc.constantFrom(-24 * HOUR, -HOUR, -70_000, 0, HOUR, 24 * HOUR);
  let prompts = 0;
  const property = fc.asyncProperty(offset, offset, offset, async (before, during, after) => {
    setClock(before);
    const prompt = envelope({ attempt: ++prompts });
    const sending = adapter.sendPrompt(handle, prompt);
    setClock(during);
    expect(await sending).toMatchObject({ promptId: prompt.uuid });
    setClock(after);
    await until('the end of its turn is known', () => adapter.turnOf(input.sessionId)?.endedAt());
    expect(await adapter.probe(handle)).toMatchObject({ alive: true, hint: 'READY' });
    expect(await journal()).toHaveLength(prompts);
  });
  await fc.assert(property, { numRuns: 6, endOnFailure: true });
});

it('adopts an agent and delivers to it after the clock went back while no daemon ran', async () => {
  const { adapter, next, input, envelope, journal } = await given();
  const handle = await adapter.start(input);
  await adapter.sendPrompt(handle, envelope());
  await adapter.release(handle);
  setClock(-HOUR);
  const later = next();
  await later.start({ ...input, adoptOnly: true });
  await later.sendPrompt(handle, envelope({ attempt: 2 }));
  await until('the end of its turn is known', () => later.turnOf(input.sessionId)?.endedAt());
  expect(await journal()).toHaveLength(2);
});

import { expect, test } from 'vitest';
import { checkStartHere } from '../../../../daemon/engine/local/startHere.ts';
import { shipped } from '../../core/support/continues.ts';

test('a template that keeps files of a contract writes none into a checkout', async () => {
  const { phases } = shipped('direct@1');
  for (const ref of ['dev-cycle@1', 'pipeline@1']) {
    const refused = checkStartHere({ ...shipped(ref), phases }, { here: true }, '/nowhere');
    await expect(refused).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('keeps files') });
  }
});

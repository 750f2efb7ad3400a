import { expect, test } from 'vitest';
import { readRequirements } from '../../../cli/input/requirements.ts';
import { fakeIo } from '../fakeIo.ts';

test('refuses an empty message, with a hint about the message', async () => {
  await expect(readRequirements(fakeIo(), { message: [' '] })).rejects.toMatchObject({
    code: 'requirements_missing',
    recoveryHint: 'Say with -m what the run should do.',
  });
});

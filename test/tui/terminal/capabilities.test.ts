import { expect, it } from 'vitest';
import { detectCapabilities } from '../../../tui/terminal/capabilities.ts';

it.each(['', 'dumb', 'unknown'])('refuses a terminal of type %j, and names the commands instead', (TERM) => {
  const refused = expect.objectContaining({ code: 'usage', recoveryHint: expect.stringContaining('use the commands') });
  expect(() => detectCapabilities({ TERM })).toThrow(refused);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { paste } from '../../../../../daemon/sessions/tmux/deliver/typePrompt.ts';
import { TIMINGS } from '../../../../../daemon/sessions/tmux/profile/profile.ts';
import { idlePorts } from './idlePorts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What is known of the paste when devflow stops waiting. */
async function pasted(text: string): Promise<string> {
  const ended = paste({ uuid: 'u', dedupKey: 'k', text }, idlePorts().ports, {
    signal: new AbortController().signal,
    giveUp: undefined,
  });
  await vi.advanceTimersByTimeAsync(TIMINGS.pasteCapMs);
  return ended;
}

const KIB = 1024;

it.each([
  ['shown', 'is as long as a paste in one piece can be', 'a'.repeat(16 * KIB)],
  ['waited', 'is longer', 'a'.repeat(16 * KIB + 1)],
  ['waited', 'is longer in bytes', 'é'.repeat(8 * KIB + 1)],
])('a paste of which the pane shows something counts as %s if it %s', async (how, _, text) => {
  expect(await pasted(text)).toBe(how);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { DeliveryPorts } from '../../../../../daemon/sessions/tmux/deliver/deliveryPorts.ts';
import { openLedger } from '../../../../../daemon/sessions/tmux/deliver/ledger.ts';
import { paste } from '../../../../../daemon/sessions/tmux/deliver/typePrompt.ts';
import { createChanges } from '../../../../../daemon/sessions/tmux/observe/changes.ts';
import { TIMINGS } from '../../../../../daemon/sessions/tmux/profile/profile.ts';
import { steadyNow } from '../../../../../schemas/time/steadyTime.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An idle agent that shows a paste at once, or the first piece of a long one. */
function agentThatShows(): DeliveryPorts {
  const directory = mkdtempSync(join(tmpdir(), 'paste-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const startedAt = steadyNow() - 60_000;
  let printedAt = startedAt;
  let composer = '';
  return {
    pid: 1,
    launch: 1,
    profile: { timings: TIMINGS, clearKeys: [] },
    acts: {
      async paste(text, _, mayPaste) {
        if (!(await mayPaste())) return false;
        printedAt = steadyNow() + 1;
        composer = text.slice(0, 1024);
        return true;
      },
      enter: async () => {},
      press: async () => {},
      readMark: async () => '',
    },
    observer: {
      changes: createChanges(),
      status: () => ({ state: 'READY', since: startedAt, signals: [] }),
      lastOutputAt: () => printedAt,
      printedAt: () => printedAt,
      bracketedPaste: () => true,
      firstReadyAt: () => startedAt,
      readScreen: async () => ({ composer, screen: { lines: [] } }),
      changesIn: () => undefined,
      turnBeganAfter: () => false,
    } as unknown as DeliveryPorts['observer'],
    ledger: openLedger(directory),
    hooked: () => false,
    conversationHas: () => undefined,
    hung: () => undefined,
    onWait: () => {},
    at: () => {},
    noticed: {},
  };
}

/** What is known of the paste when devflow stops waiting. */
async function pasted(text: string): Promise<string> {
  const ended = paste({ uuid: 'u', dedupKey: 'k', text }, agentThatShows(), new AbortController().signal);
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

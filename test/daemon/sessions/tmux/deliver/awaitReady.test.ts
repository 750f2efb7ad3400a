import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { awaitReady } from '../../../../../daemon/sessions/tmux/deliver/awaitReady.ts';
import { createChanges } from '../../../../../daemon/sessions/tmux/observe/changes.ts';
import { type Signal, weighEvidence } from '../../../../../daemon/sessions/tmux/profile/evidence.ts';
import { TIMINGS } from '../../../../../daemon/sessions/tmux/profile/profile.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const WHO = { roleId: 'implementer', laneId: 'main', runId: 'R1' };

/** An agent whose state file says idle, and whose screen alone says that nobody is logged in. It prints at each read. */
function agentWithoutLogin() {
  const startedAt = Date.now();
  let lastOutputAt = startedAt;
  let readAt = Number.NEGATIVE_INFINITY;
  let prints = true;
  const isScreenStale = () => lastOutputAt > readAt;
  const file: Signal = { source: 'state file', at: startedAt, fact: 'idle', says: 'READY' };
  const screen: Signal = { source: 'screen', at: startedAt, fact: 'Not logged in', says: 'LOGIN' };
  const observer = {
    changes: createChanges(),
    status: () => weighEvidence(isScreenStale() ? [file] : [file, screen], { steady: Date.now(), wall: Date.now() }),
    printedAt: () => lastOutputAt,
    async readScreen() {
      readAt = Date.now();
      if (prints) lastOutputAt = Date.now() + 1;
      return { composer: '', screen: { lines: [] } };
    },
    isScreenStale,
    bracketedPaste: () => true,
    firstReadyAt: () => startedAt,
    changesIn: () => undefined,
  };
  const quiet = () => {
    prints = false;
  };
  return { observer, quiet };
}

it('is not ready by a screen that was overtaken while it was read', async () => {
  const { observer, quiet } = agentWithoutLogin();
  const ending = new AbortController();
  let isReady = false;
  const waiting = awaitReady(observer, TIMINGS, WHO, ending.signal).then(
    () => {
      isReady = true;
    },
    (error: unknown) => error,
  );
  await vi.advanceTimersByTimeAsync(TIMINGS.startMs / 2);
  expect(isReady).toBe(false);
  quiet();
  await vi.advanceTimersByTimeAsync(2 * TIMINGS.startMs);
  expect(isReady, 'a person has to log in first, however long that takes').toBe(false);
  ending.abort('seen');
  observer.changes.notify();
  expect(await waiting).toBe('seen');
});

it('says why the sandbox of an agent was not made, in the words of what makes it', async () => {
  const { observer } = agentWithoutLogin();
  const ended: Signal = { source: 'process', at: Date.now(), fact: 'it ended with status 1', says: 'DEAD' };
  const dead = (lines: string[]) => ({
    ...observer,
    status: () => weighEvidence([ended], { steady: Date.now(), wall: Date.now() }),
    readScreen: async () => ({ composer: undefined, screen: { lines } }),
  });
  const start = (lines: string[], who: Parameters<typeof awaitReady>[2]) =>
    awaitReady(dead(lines), TIMINGS, who, new AbortController().signal);
  const lines = ['\x1b[1mbwrap: No permissions\x1b[0m', '', 'Pane is dead (status 1, now)', ''];
  await expect(start(lines, { ...WHO, sandbox: {} })).rejects.toMatchObject({
    code: 'sandbox_unavailable',
    message: 'The sandbox of implementer was not made: bwrap: No permissions.',
  });
  for (const [said, who] of [
    [lines, WHO],
    [['A program of the agent failed.'], { ...WHO, sandbox: {} }],
  ] as const)
    await expect(start([...said], who)).rejects.toMatchObject({
      code: 'pane_briefly_unresponsive',
      message: expect.stringContaining('it ended with status 1'),
    });
});

import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { waitForFile } from '../../daemon/harness/artifact/waitForFile.ts';
import { systemClock } from '../../daemon/system/clock.ts';
import { PROGRAMS } from './programs/pins.ts';
import { useRealSessions } from './support/realSession.ts';

/** Far more than the test takes: a file that is found can only have a proven end. */
const NEVER_MS = 60 * 60_000;
/**
 * For the others the file rests. Gemini reports no end of its turns, and Codex keeps a helper running from its first tool
 * call on (0.169.0, `codex-code-mode-host`), which may still work.
 */
const PROVING = PROGRAMS.filter((program) => program === 'claude' || program === 'opencode');

describe.each(PROVING)('%s', (program) => {
  const given = useRealSessions();

  test('a file need not rest once its program has proven the end of the turn', async () => {
    const { start, adapter, input, envelope } = await given(program);
    const handle = await start();
    const writer = adapter.turnOf(input.sessionId);
    for (const attempt of [1, 2]) {
      const prompt = envelope({ attempt });
      const path = prompt.expectedArtifact;
      await adapter.sendPrompt(handle, prompt);
      const { signal } = new AbortController();
      const wait = { path, root: input.cwd, debounceMs: NEVER_MS, clock: systemClock, signal };
      expect(await waitForFile({ ...wait, writer })).toBe('ended');
      const afterMs = Date.now() - statSync(path).mtimeMs;
      const reportMs = ((await writer?.endedAt()) ?? Number.NaN) - statSync(path).mtimeMs;
      console.log(
        `${program}: reported ${reportMs.toFixed()} ms after the file, found ${afterMs.toFixed()} ms after it`,
      );
      expect(reportMs).toBeGreaterThanOrEqual(0);
    }
  });
});

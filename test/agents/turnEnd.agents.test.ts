import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FileWriter, waitForFile } from '../../daemon/artifacts/waitForFile.ts';
import { IDLE_AFTER_MS } from '../../daemon/sessions/tmux/stall/stall.ts';
import { systemClock } from '../../daemon/system/clock.ts';
import { until } from '../helpers/until.ts';
import { PROGRAMS } from './programs/pins.ts';
import { useRealSessions } from './support/realSession.ts';

/** Far more than the test takes: a file that is found can only have a proven end. */
const NEVER_MS = 60 * 60_000;
/**
 * For the others the file rests. The end of Gemini's turns is only seen, which is no proof, and Codex keeps a helper running
 * from its first tool call on (0.169.0, `codex-code-mode-host`), which may still work.
 */
const PROVING = PROGRAMS.filter((program) => program === 'claude' || program === 'opencode');

const given = useRealSessions();

describe.each(PROVING)('%s', (program) => {
  test('a file need not rest once its program has proven the end of the turn', async () => {
    const { start, adapter, input, envelope } = await given(program);
    const handle = await start();
    const turn = adapter.turnOf(input.sessionId);
    if (turn === undefined) throw new Error('it has no turn');
    let endedAt = Number.NaN;
    // What the wait was told: afterwards a program may begin something of its own.
    const writer: FileWriter = {
      listen: turn.listen,
      async endedAt() {
        const at = await turn.endedAt();
        endedAt = at ?? Number.NaN;
        return at;
      },
    };
    for (const attempt of [1, 2]) {
      const prompt = envelope({ attempt });
      const path = prompt.expectedArtifact;
      await adapter.sendPrompt(handle, prompt);
      const { signal } = new AbortController();
      const wait = { path, root: input.cwd, debounceMs: NEVER_MS, clock: systemClock, signal };
      expect(await waitForFile({ ...wait, writer })).toBe('ended');
      const afterMs = Date.now() - statSync(path).mtimeMs;
      const reportMs = endedAt - statSync(path).mtimeMs;
      console.log(
        `${program}: reported ${reportMs.toFixed()} ms after the file, found ${afterMs.toFixed()} ms after it`,
      );
      expect(reportMs).toBeGreaterThanOrEqual(0);
    }
  });
});

test.runIf(PROGRAMS.includes('gemini'))(
  'gemini: the end of a turn is seen by its record, and told with the words of its answer',
  async () => {
    const { start, adapter, input, envelope, told, exits } = await given('gemini', { scenario: 'claims-done' });
    const handle = await start();
    for (const attempt of [1, 2, 3]) {
      if (attempt === 3) {
        // The record then also has the turns of the earlier program.
        process.kill(-Number(handle.pid), 'SIGKILL');
        await until('the program has ended', () => exits.length > 0);
        await adapter.resume(handle);
      }
      await adapter.sendPrompt(handle, envelope({ attempt }));
      const detail = `Done with spec, attempt ${attempt}.`;
      await until('it is told', () => told.at(-1)?.detail === detail);
      expect(told.at(-1)).toEqual({ cause: 'idle', detail });
      const facts = await adapter.explain(handle);
      const [answer, stall] = ['record', 'stall'].map((source) => facts.findLast((each) => each.source === source));
      expect(answer?.fact).toBe('answer');
      const afterMs = Number(stall?.at) - Number(answer?.at);
      console.log(`gemini: told ${afterMs} ms after its answer`);
      // Else it was told because nothing moved.
      expect(afterMs).toBeLessThan(IDLE_AFTER_MS);
      // A file would still have to rest.
      expect(await adapter.turnOf(input.sessionId)?.endedAt()).toBeUndefined();
    }
  },
);

test.runIf(PROGRAMS.includes('gemini'))(
  'gemini: an answer with a text and a tool call ends no turn while the tool runs',
  async () => {
    const { start, adapter, input, envelope, told } = await given('gemini', { scenario: 'announced' });
    const handle = await start();
    await adapter.sendPrompt(handle, envelope());
    const answer = await until('it has answered', async () =>
      (await adapter.explain(handle)).find(({ source, fact }) => source === 'record' && fact === 'answer'),
    );
    // Three times as long as it takes to tell the end of a turn.
    await until('it would be told', () => Date.now() > answer.at.getTime() + 4_000);
    expect(told.filter(Boolean)).toEqual([]);
    writeFileSync(join(input.cwd, 'go'), '');
    await until('it is told', () => told.at(-1));
    expect(told.filter(Boolean)).toEqual([{ cause: 'idle', detail: 'Done with spec, attempt 1.' }]);
  },
);

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SessionAdapter } from '../../../../daemon/sessions/contract/adapter.ts';
import { createSessionManager } from '../../../../daemon/sessions/manager.ts';
import { createTranscripts } from '../../../../daemon/sessions/transcript/transcript.ts';
import { saveAttachment } from '../../../../daemon/store/sessions.ts';
import { readTranscript, transcriptStore } from '../../../../daemon/store/transcripts.ts';
import { LAST_OUTPUT } from '../../../../tmux/process/wrapper.ts';
import { givenSession } from '../../../helpers/givenSession.ts';
import { useDatabase } from '../../../helpers/postgres.ts';
import { useScriptedSessions } from '../../../helpers/scriptedSession.ts';

const database = useDatabase();
const given = useScriptedSessions();

test('stores all output: with a daemon, between two, and up to its end', async () => {
  const db = database().drizzle;
  const { runId, sessionId } = await givenSession(database(), { backend: 'claude' });
  const session = await given({ scripted: 'record' });
  const input = { ...session.input, runId, sessionId };
  const log = { warn: vi.fn(), debug: vi.fn(), trace: vi.fn() };
  const daemon = (claude: SessionAdapter) =>
    createSessionManager({
      adapters: { claude },
      transcripts: createTranscripts({ log, store: transcriptStore(db) }),
      store: { saveAttachment: (id, handle) => saveAttachment(db, id, handle) },
      log,
      sessionDirOf: () => session.input.sessionDir,
    });

  const first = daemon(session.adapter);
  await first.start(input);
  const turns = (await session.events('turn-ended')).length;
  await first.sendPrompt(sessionId, session.envelope({ instructions: 'Scenario: slow\nDelay-Ms: 20' }));
  expect(await first.shutdown({ deadlineMs: 10_000 })).toEqual({ hung: [] });
  await session.happened('turn-ended', turns + 1);

  const second = daemon(session.next());
  onTestFinished(() => second.disposeRun(runId));
  await second.ensure(input);
  await second.disposeRun(runId);

  const { chunks } = await readTranscript(db, sessionId, { limit: 1000 });
  const [recorded = ''] = readdirSync(join(session.configDir, 'output'));
  const printed = readFileSync(join(session.configDir, 'output', recorded));
  const output = Buffer.concat(chunks.filter(({ kind }) => kind === 'output').map(({ bytes }) => bytes));
  // The end of the session may kill the wrapper before it prints.
  expect([`${printed}`, `${printed}${LAST_OUTPUT}`]).toContain(`${output}`);
  expect(chunks[0]).toMatchObject({ kind: 'resize', endOffset: 0 });
  expect(chunks.at(-1)?.endOffset).toBe(output.length);
  expect(log.warn).not.toHaveBeenCalled();
});

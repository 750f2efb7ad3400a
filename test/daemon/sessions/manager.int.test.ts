import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeSessionAdapter } from '../../../daemon/sessions/fake/fake.ts';
import { createSessionManager } from '../../../daemon/sessions/manager.ts';
import { type ChunkAppended, createTranscripts } from '../../../daemon/sessions/transcript/transcript.ts';
import { readSession, saveAttachment } from '../../../daemon/store/sessions.ts';
import { readTranscript, transcriptStore } from '../../../daemon/store/transcripts.ts';
import { eventually } from '../../helpers/eventually.ts';
import { sessionPlace } from '../../helpers/fakeSession.ts';
import { givenSession } from '../../helpers/givenSession.ts';
import { useDatabase } from '../../helpers/postgres.ts';

const database = useDatabase();

test('stores both halves of a transcript over two daemons, without gap or secret', async () => {
  const db = database().drizzle;
  const { runId, sessionId } = await givenSession(database());
  const { fixturesDir, input: place, envelope } = await sessionPlace();
  const input = { ...place, runId, sessionId, prelude: `Bearer ${'abcdef'.repeat(5)}` };
  const log = { warn: vi.fn(), debug: vi.fn(), trace: vi.fn() };
  const told: ChunkAppended[] = [];
  const daemon = () =>
    createSessionManager({
      adapters: { fake: new FakeSessionAdapter({ fixturesDir, delayMs: 1 }) },
      transcripts: createTranscripts({
        log,
        gatherMs: 5,
        store: transcriptStore(db),
        onAppended: (chunk) => told.push(chunk),
      }),
      store: { saveAttachment: (id, handle) => saveAttachment(db, id, handle) },
      log,
      sessionDirOf: () => place.sessionDir,
    });

  const first = daemon();
  await first.start(input);
  await first.sendPrompt(sessionId, envelope({ instructions: 'Scenario: timeout' }));
  expect(await first.shutdown({ deadlineMs: 10_000 })).toEqual({ hung: [] });

  const second = daemon();
  onTestFinished(() => second.disposeRun(runId));
  await second.ensure(input);
  await second.sendPrompt(sessionId, envelope({ attempt: 2 }));
  await eventually(async () => expect(await second.probe(sessionId)).toMatchObject({ paneActive: false }));
  await second.disposeRun(runId);

  const { chunks, lastSeq } = await readTranscript(db, sessionId, { limit: 200 });
  const text = chunks.map(({ bytes }) => bytes).join('');
  expect(chunks.map(({ seq }) => seq)).toEqual(chunks.map((_, index) => index + 1));
  expect(await readSession(db, sessionId)).toMatchObject({ lastCaptureSeq: lastSeq, state: 'READY' });
  expect(text).toContain('prelude: Bearer [masked: bearer token]');
  expect(text).toMatch(/received prompt[\s\S]*adopted session[\s\S]*received prompt[\s\S]*wrote /);
  expect(told).toEqual(chunks.map(({ seq }) => ({ runId, sessionId, seq })));
  expect(log.warn).not.toHaveBeenCalled();
});

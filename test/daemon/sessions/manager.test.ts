import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { SessionAdapter } from '../../../daemon/sessions/contract/adapter.ts';
import { FakeSessionAdapter } from '../../../daemon/sessions/fake/fake.ts';
import { createSessionManager } from '../../../daemon/sessions/manager.ts';
import { createTranscripts } from '../../../daemon/sessions/transcript/transcript.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { eventually } from '../../helpers/eventually.ts';
import { RUN_ID, sessionPlace } from '../../helpers/fakeSession.ts';

/** A manager over the fake, with everything else in memory; `tamper` changes the adapter. */
async function managed(tamper: (adapter: FakeSessionAdapter) => SessionAdapter = (adapter) => adapter) {
  const place = await sessionPlace();
  const chunks: string[] = [];
  const log = { warn: vi.fn(), debug: vi.fn(), trace: vi.fn() };
  const saved: string[] = [];
  const open = () =>
    createSessionManager({
      adapters: { fake: tamper(new FakeSessionAdapter({ fixturesDir: place.fixturesDir, delayMs: 1 })) },
      transcripts: createTranscripts({
        log,
        gatherMs: 1,
        busyMs: 1,
        store: {
          append: async (_id, pieces) => pieces.map(({ bytes }) => ({ runId: 'r', seq: chunks.push(`${bytes}`) })),
          readExtent: async () => ({ offset: 0 }),
        },
      }),
      store: { saveAttachment: async (sessionId) => void saved.push(sessionId) },
      log,
      retryDelaysMs: [1, 1],
      sessionDirOf: () => place.input.sessionDir,
    });
  const manager = open();
  onTestFinished(() => manager.disposeRun(RUN_ID));
  return { ...place, id: place.input.sessionId, manager, open, chunks, saved, log };
}

/** A fake whose first `times` sends fail before they are delivered. */
const flaky = (times: number, calls: string[] = []) => {
  let left = times;
  return (adapter: FakeSessionAdapter) => {
    const send = adapter.sendPrompt.bind(adapter);
    adapter.sendPrompt = async (handle, envelope) => {
      calls.push(envelope.dedupKey);
      left -= 1;
      if (left >= 0) throw new DevflowError('prompt_send_transient', 'the pane blinked');
      return send(handle, envelope);
    };
    return adapter;
  };
};

describe('prompts', () => {
  test('start, prompt, artifact, transcript', async () => {
    const { manager, input, id, envelope, chunks, saved } = await managed();
    expect(await manager.start(input)).toEqual({ sessionId: id });
    const prompt = envelope();
    expect(await manager.sendPrompt(id, prompt)).toMatchObject({ promptId: prompt.uuid });
    await eventually(() => expect(existsSync(prompt.expectedArtifact)).toBe(true));
    await eventually(() => expect(chunks.join('')).toContain(`[fake] wrote ${prompt.expectedArtifact}`));
    expect(saved).toEqual([id]);
  });

  test('retries an envelope twice, then fails', async () => {
    const calls: string[] = [];
    const { manager, input, id, envelope, received } = await managed(flaky(5, calls));
    await manager.start(input);
    await expect(manager.sendPrompt(id, envelope())).rejects.toMatchObject({ code: 'prompt_send_transient' });
    expect(calls).toEqual([envelope().dedupKey, envelope().dedupKey, envelope().dedupKey]);
    await manager.sendPrompt(id, envelope());
    expect(await received()).toHaveLength(1);
  });

  test('does not retry an error that needs a person', async () => {
    const calls: string[] = [];
    const { manager, input, id, envelope } = await managed(flaky(0, calls));
    await manager.start(input);
    const nonsense = envelope({ instructions: 'Scenario: nonsense' });
    await expect(manager.sendPrompt(id, nonsense)).rejects.toMatchObject({ class: 'human_required' });
    expect(calls).toHaveLength(1);
  });

  test('delivers a prompt once when many send it at once', async () => {
    const { manager, input, id, envelope, received } = await managed();
    await manager.start(input);
    const answers = await Promise.all(Array.from({ length: 5 }, () => manager.sendPrompt(id, envelope())));
    expect(new Set(answers.map(({ promptId }) => promptId)).size).toBe(1);
    expect(await received()).toHaveLength(1);
  });

  test('distinguishes an unknown session from an unknown backend', async () => {
    const { manager, input, envelope } = await managed();
    await expect(manager.sendPrompt(input.sessionId, envelope())).rejects.toMatchObject({ code: 'internal' });
    await expect(manager.start({ ...input, backend: 'codex' })).rejects.toMatchObject({ code: 'backend_unavailable' });
  });
});

describe('restart and recovery', () => {
  test('adopts without typing; recover starts what could not be adopted', async () => {
    const { manager, input, id, received } = await managed();
    await expect(manager.ensure(input)).rejects.toMatchObject({ class: 'recoverable' });
    expect(await manager.recover(id, 'resume')).toEqual({ how: 'resume', hint: 'READY' });
    expect(await received()).toEqual([]);
  });

  test('continues the work in the next daemon, without a second delivery', async () => {
    const { manager, open, input, id, envelope, received } = await managed();
    await manager.start(input);
    const prompt = envelope({ instructions: 'Delay-Ms: 50' });
    await manager.sendPrompt(id, prompt);
    expect(await manager.shutdown({ deadlineMs: 5_000 })).toEqual({ hung: [] });
    const next = open();
    onTestFinished(() => next.disposeRun(RUN_ID));
    await next.ensure(input);
    await next.sendPrompt(id, prompt);
    await eventually(() => expect(existsSync(prompt.expectedArtifact)).toBe(true));
    expect(await received()).toEqual([prompt.dedupKey]);
  });

  test('reports an agent that ends, and why says so until its recovery', async () => {
    const { manager, input, id, envelope } = await managed();
    await manager.start(input);
    const lost = new Promise((resolve) => manager.onLost((...facts) => resolve(facts)));
    await manager.sendPrompt(id, envelope({ instructions: 'Scenario: exit' }));
    expect(await lost).toEqual([id, expect.objectContaining({ code: 'pane_briefly_unresponsive' })]);
    expect(await manager.why(id)).toMatchObject({
      verdict: 'lost',
      rule: 'the newest signal decides: exit: it ended during its work (scenario exit)',
    });
    expect(await manager.probe(id)).toMatchObject({ alive: false });
    expect(await manager.recover(id, 'resume')).toEqual({ how: 'resume', hint: 'READY' });
    const why = await manager.why(id);
    expect(why.verdict).toBe('ready');
    expect(why.signals.map(({ source }) => source)).toContain('fake journal');
  });

  test('says so when the conversation could not be resumed', async () => {
    const { manager, input, id } = await managed((adapter) =>
      Object.assign(adapter, { hasLostConversation: () => true }),
    );
    await manager.start(input);
    expect(await manager.recover(id, 'resume')).toEqual({ how: 'rebootstrap', hint: 'READY' });
  });

  test('fails a recovery after which the agent is dead', async () => {
    const { manager, input, id } = await managed((adapter) => {
      adapter.probe = async () => ({ alive: false, paneActive: false, hint: 'gone' });
      return adapter;
    });
    await manager.start(input);
    await expect(manager.recover(id, 'rebootstrap')).rejects.toMatchObject({ code: 'pane_briefly_unresponsive' });
    expect(await manager.why(id)).toMatchObject({ verdict: 'lost' });
  });
});

describe('the end', () => {
  test('accepts nothing new during shutdown', async () => {
    const { manager, input, id, envelope } = await managed();
    await manager.start(input);
    await manager.shutdown({ deadlineMs: 1_000 });
    for (const refused of [manager.sendPrompt(id, envelope()), manager.start(input), manager.recover(id, 'resume')]) {
      await expect(refused).rejects.toMatchObject({ code: 'shutting_down' });
    }
  });

  test('waits at shutdown for the current prompt, and names what hangs past the deadline', async () => {
    const delivered: (() => void)[] = [];
    const { manager, input, id, envelope } = await managed((adapter) => {
      adapter.sendPrompt = () =>
        new Promise((resolve) => delivered.push(() => resolve({ promptId: 'p', proof: 'hook' })));
      return adapter;
    });
    await manager.start(input);
    const sending = manager.sendPrompt(id, envelope());
    await eventually(() => expect(delivered).toHaveLength(1));
    expect(await manager.shutdown({ deadlineMs: 20 })).toEqual({ hung: [id] });
    delivered[0]?.();
    await sending;
  });

  test('disposeRun ends the agents of the run and can be repeated', async () => {
    const { manager, input, id, envelope, chunks } = await managed();
    await manager.start(input);
    await manager.sendPrompt(id, envelope({ instructions: 'Delay-Ms: 100000' }));
    await manager.disposeRun('another run');
    expect(await manager.probe(id)).toMatchObject({ alive: true });
    await manager.disposeRun(RUN_ID);
    await manager.disposeRun(RUN_ID);
    expect(chunks.join('')).toContain('received prompt');
    await expect(manager.probe(id)).rejects.toMatchObject({ code: 'internal' });
    expect(await manager.why(id)).toMatchObject({ verdict: 'unknown', signals: [] });
  });

  test('endAgents ends the agents of these sessions only', async () => {
    const ended: string[] = [];
    const { manager, input, id } = await managed((adapter) => {
      const { dispose } = adapter;
      adapter.dispose = (handle) => {
        ended.push(handle.sessionId);
        return dispose.call(adapter, handle);
      };
      return adapter;
    });
    await manager.start(input);
    await manager.endAgents(RUN_ID, [{ sessionId: 'outlived', backend: 'fake' }]);
    expect(ended).toEqual(['outlived']);
    await manager.endAgents(RUN_ID, [{ sessionId: id, backend: 'fake' }]);
    expect(ended).toEqual(['outlived', input.sessionId]);
    await expect(manager.probe(id)).rejects.toThrow();
  });

  test('disposeRun also ends recorded agents that this daemon does not hold', async () => {
    const ended: string[] = [];
    const { manager, input, id } = await managed((adapter) => {
      adapter.dispose = async ({ sessionId }) => void ended.push(sessionId);
      return adapter;
    });
    await manager.disposeRun(RUN_ID, [
      { sessionId: id, backend: 'fake' },
      { sessionId: 'x', backend: 'codex' },
    ]);
    expect(ended).toEqual([input.sessionId]);
  });
});

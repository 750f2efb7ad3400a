import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type {
  SessionAdapter,
  SessionHandle,
  StartInput,
  TranscriptChunk,
} from '../../daemon/sessions/contract/adapter.ts';
import { messageHash, type PromptEnvelope } from '../../schemas/envelope.ts';
import { derivedId } from '../../schemas/ids.ts';
import { eventually } from './eventually.ts';

/** What the suite needs of a backend: an adapter and a scripted agent. */
export interface AdapterUnderTest {
  adapter: SessionAdapter;
  input: StartInput;
  /** A prompt that the agent answers by writing `{"title":"fine"}`; a number makes it another prompt. */
  envelope(nth?: number): PromptEnvelope;
  /** The dedup keys of the prompts that reached the agent, by the agent's own record. */
  received(): Promise<string[]>;
  /** The texts of the messages that reached the agent, by the agent's own record. */
  messages(): Promise<string[]>;
  /** Only for an agent that can wait for a person. */
  asking?: {
    /** A prompt for which the agent asks for permission, and writes its artifact after the answer. */
    envelope(nth?: number): PromptEnvelope;
    answer(): Promise<void>;
  };
  /** Another adapter for the same session: what the next daemon has. */
  afterRestart(): SessionAdapter;
}

/** The contract of `SessionAdapter`: every backend passes it. `make` is called once a test. */
export function describeAdapter(
  name: string,
  make: () => Promise<AdapterUnderTest>,
  { asks = false }: { asks?: boolean } = {},
): void {
  async function started() {
    const it = await make();
    const handle = await it.adapter.start(it.input);
    onTestFinished(() => it.adapter.dispose(handle));
    return { ...it, handle };
  }
  const appears = (path: string) => eventually(() => expect(existsSync(path)).toBe(true));
  const ready = (adapter: SessionAdapter, handle: SessionHandle) =>
    eventually(async () => expect(await adapter.probe(handle)).toMatchObject({ alive: true, hint: 'READY' }));

  describe(`${name} keeps the adapter contract`, () => {
    test('a started agent is alive and ready', async () => {
      const { adapter, handle, input } = await started();
      expect(handle.sessionId).toBe(input.sessionId);
      await ready(adapter, handle);
    });

    test('starting twice makes one agent', async () => {
      const { adapter, input, handle } = await started();
      expect(await adapter.start(input)).toEqual(handle);
    });

    test('adoptOnly creates nothing', async () => {
      const { adapter, input } = await make();
      await expect(adapter.start({ ...input, adoptOnly: true })).rejects.toMatchObject({
        code: 'pane_briefly_unresponsive',
      });
      expect(await adapter.probe({ sessionId: input.sessionId })).toMatchObject({ alive: false });
    });

    test('a prompt leads to the artifact, and the agent is ready again', async () => {
      const { adapter, handle, envelope } = await started();
      const prompt = envelope();
      const { promptId } = await adapter.sendPrompt(handle, prompt);
      expect(promptId).not.toBe('');
      await appears(prompt.expectedArtifact);
      expect(JSON.parse(await readFile(prompt.expectedArtifact, 'utf8'))).toEqual({ title: 'fine' });
      await ready(adapter, handle);
    });

    test('a duplicate dedup key is delivered once', async () => {
      const { adapter, handle, envelope, received } = await started();
      const first = await adapter.sendPrompt(handle, envelope());
      expect(await adapter.sendPrompt(handle, envelope())).toEqual(first);
      expect(await received()).toEqual([envelope().dedupKey]);
    });

    test('the next daemon adopts the agent, sends no prompt twice, and its work continues', async () => {
      const { adapter, handle, input, envelope, received, afterRestart } = await started();
      const first = await adapter.sendPrompt(handle, envelope());
      await adapter.release(handle);
      const next = afterRestart();
      const adopted = await next.start({ ...input, adoptOnly: true });
      onTestFinished(() => next.dispose(adopted));
      expect(await next.sendPrompt(adopted, envelope())).toEqual(first);
      await appears(envelope().expectedArtifact);
      expect(await received()).toEqual([envelope().dedupKey]);
    });

    test('a message arrives once, asks for no artifact, and leaves the agent ready', async () => {
      const { adapter, handle, input, messages } = await started();
      const dedupKey = messageHash('m1');
      const uuid = derivedId('prompt', dedupKey);
      const message = { uuid, runId: input.runId, roleId: input.roleId, messageId: 'm1', dedupKey, text: 'Use tabs.' };
      const first = await adapter.sendPrompt(handle, message);
      expect(first.promptId).toBe(uuid);
      expect(await adapter.sendPrompt(handle, message)).toEqual(first);
      expect(await messages()).toEqual(['Use tabs.']);
      await ready(adapter, handle);
    });

    test('capture has no gap, from any place, and ends with the attachment', async () => {
      const { adapter, handle, envelope } = await started();
      const live = collect(adapter.capture(handle, 0n));
      await adapter.sendPrompt(handle, envelope());
      await appears(envelope().expectedArtifact);
      await ready(adapter, handle);
      await adapter.rebootstrap(handle);
      await adapter.sendPrompt(handle, envelope(2));
      await appears(envelope(2).expectedArtifact);
      await ready(adapter, handle);
      if (adapter.streams) return expectStream(adapter, handle, live);
      const late = collect(adapter.capture(handle, 1n));
      await adapter.release(handle);
      const all = await live;
      expect(all.length).toBeGreaterThan(1);
      expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => BigInt(index + 1)));
      expect(await late).toEqual(all.slice(1));
    });

    test('after resume and rebootstrap the agent works and refuses old dedup keys', async () => {
      const { adapter, handle, envelope, received } = await started();
      const first = await adapter.sendPrompt(handle, envelope());
      await appears(envelope().expectedArtifact);
      const resumed = await adapter.resume(handle);
      await ready(adapter, resumed);
      const fresh = await adapter.rebootstrap(resumed);
      await ready(adapter, fresh);
      expect(await adapter.sendPrompt(fresh, envelope())).toMatchObject(first);
      await adapter.sendPrompt(fresh, envelope(2));
      await appears(envelope(2).expectedArtifact);
      expect(await received()).toEqual([envelope().dedupKey, envelope(2).dedupKey]);
    });

    describe.runIf(asks)('where it can wait for a person', () => {
      async function listening() {
        const it = await make();
        const { adapter, input, asking } = it;
        if (!adapter.onStall || !asking) throw new Error('it says that it can ask');
        const told = listen(adapter, input);
        const handle = await adapter.start(input);
        onTestFinished(() => adapter.dispose(handle));
        // The first report says that nothing is wrong. A prompt sent earlier could stall before it.
        await isTold(told, [undefined]);
        return { ...it, asking, told, handle };
      }
      const listen = (adapter: SessionAdapter, { sessionId }: StartInput) => {
        const told: (string | undefined)[] = [];
        adapter.onStall?.((id, stall) => id === sessionId && told.push(stall?.cause));
        return told;
      };
      const isTold = (told: (string | undefined)[], causes: (string | undefined)[]) =>
        eventually(() => expect(told).toEqual(causes));

      test('reports the first state, a stall and its end, and remembers the stall', async () => {
        const { adapter, handle, asking, told } = await listening();
        await adapter.sendPrompt(handle, asking.envelope());
        await isTold(told, [undefined, 'permission']);
        expect(await adapter.probe(handle)).toMatchObject({ alive: true, stall: { cause: 'permission' } });
        expect(adapter.stallOf?.(handle.sessionId)).toMatchObject({ cause: 'permission' });
        await asking.answer();
        await appears(asking.envelope().expectedArtifact);
        await isTold(told, [undefined, 'permission', undefined]);
        expect(adapter.stallOf?.(handle.sessionId)).toBeUndefined();
        expect((await adapter.probe(handle)).stall).toBeUndefined();
      });

      test('reports a question again to the next daemon', async () => {
        const { adapter, handle, input, asking, told, afterRestart } = await listening();
        await adapter.sendPrompt(handle, asking.envelope());
        await isTold(told, [undefined, 'permission']);
        await adapter.release(handle);
        const next = afterRestart();
        const toldNext = listen(next, input);
        const adopted = await next.start({ ...input, adoptOnly: true });
        onTestFinished(() => next.dispose(adopted));
        await isTold(toldNext, ['permission']);
        await next.release(adopted);
        await asking.answer();
        await appears(asking.envelope().expectedArtifact);
        const last = afterRestart();
        const toldLast = listen(last, input);
        onTestFinished(() => last.dispose(input));
        await last.start({ ...input, adoptOnly: true });
        // Its turn may have ended before it was adopted.
        await eventually(() => expect([[undefined], ['idle'], [undefined, 'idle']]).toContainEqual(toldLast));
        expect([told, toldNext]).toEqual([[undefined, 'permission'], ['permission']]);
      });

      test('neither ends nor restarts an agent that asks', async () => {
        const { adapter, handle, asking, told } = await listening();
        await adapter.sendPrompt(handle, asking.envelope());
        await isTold(told, [undefined, 'permission']);
        await expect(adapter.rebootstrap(handle)).rejects.toMatchObject({ code: 'pane_briefly_unresponsive' });
        expect(await adapter.resume(handle)).toEqual(handle);
        await asking.answer();
        await appears(asking.envelope().expectedArtifact);
      });

      test('delivers a prompt once, though a release interrupted it', async () => {
        const { adapter, handle, input, asking, told, envelope, received, afterRestart } = await listening();
        await adapter.sendPrompt(handle, asking.envelope());
        await isTold(told, [undefined, 'permission']);
        const sending = adapter.sendPrompt(handle, envelope(2));
        const isLetGo = expect(sending).rejects.toMatchObject({ code: 'shutting_down' });
        await adapter.release(handle);
        await isLetGo;
        const next = afterRestart();
        const adopted = await next.start({ ...input, adoptOnly: true });
        onTestFinished(() => next.dispose(adopted));
        const again = next.sendPrompt(adopted, envelope(2));
        await asking.answer();
        await again;
        expect(await received()).toEqual([asking.envelope().dedupKey, envelope(2).dedupKey]);
      });
    });

    test('dispose and release are idempotent and report nothing', async () => {
      const { adapter, handle } = await started();
      const exits: string[] = [];
      adapter.onExit(handle, ({ reason }) => exits.push(reason));
      await adapter.release(handle);
      await adapter.release(handle);
      await adapter.dispose(handle);
      await adapter.dispose(handle);
      expect(await adapter.probe(handle)).toMatchObject({ alive: false, paneActive: false });
      expect(await collect(adapter.capture(handle, 0n))).toEqual([]);
      expect(exits).toEqual([]);
    });
  });
}

/** Bytes by offset: each chunk begins where the last one ended, and reading from an offset gives the same bytes. */
async function expectStream(
  adapter: SessionAdapter,
  handle: SessionHandle,
  live: Promise<TranscriptChunk[]>,
): Promise<void> {
  const from = 100n;
  const late = adapter.capture(handle, from)[Symbol.asyncIterator]();
  const first: TranscriptChunk = (await late.next()).value;
  await adapter.release(handle);
  const all = await live;
  let end = 0n;
  for (const { bytes, endOffset, seq } of all) {
    end += BigInt(bytes?.length ?? 0);
    expect([endOffset, seq]).toEqual([end, end]);
  }
  expect(end).toBeGreaterThan(from);
  const whole = Buffer.concat(all.map(({ bytes }) => bytes ?? Buffer.alloc(0)));
  const start = Number(from);
  const late1 = first.bytes ?? Buffer.alloc(0);
  expect(first.endOffset).toBe(from + BigInt(late1.length));
  expect(whole.subarray(start, start + late1.length)).toEqual(late1);
  expect((await late.next()).done).toBe(true);
}

async function collect(chunks: AsyncIterable<TranscriptChunk>): Promise<TranscriptChunk[]> {
  const all: TranscriptChunk[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

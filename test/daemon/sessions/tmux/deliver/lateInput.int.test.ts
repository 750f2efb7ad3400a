import { describe, expect, it } from 'vitest';
import { retrySend } from '../../../../../daemon/sessions/retrySend.ts';
import type { TmuxSessionAdapter } from '../../../../../daemon/sessions/tmux/tmuxAdapter.ts';
import type { PromptEnvelope } from '../../../../../schemas/envelope.ts';
import { useScriptedSessions } from '../../../../helpers/scriptedSession.ts';

const given = useScriptedSessions();

/** An agent that reads its first paste long after devflow has given it up. */
async function givenLate(more = '', about: Partial<PromptEnvelope> = {}) {
  const timings = { pasteCapMs: 400, proofMs: 200, goneMs: 600, unreadMs: 600, clearAgainMs: 0 };
  const session = await given({ scripted: `late-input=2500${more}`, timings });
  const handle = await session.adapter.start(session.input);
  const first = session.envelope(about);
  await expect(session.adapter.sendPrompt(handle, first)).rejects.toMatchObject({ code: 'prompt_send_transient' });
  const send = (adapter: TmuxSessionAdapter, prompt: PromptEnvelope) =>
    retrySend(
      () => adapter.sendPrompt(handle, prompt),
      Array(9).fill(0),
      () => true,
      () => {},
    );
  const inComposer = async () => (await session.journal()).map(({ dedupKeys }) => dedupKeys);
  return { ...session, handle, first, send, inComposer };
}

describe('a paste that the agent reads late', () => {
  it('goes before the same prompt is pasted again', async () => {
    const { adapter, first, send, inComposer } = await givenLate();
    await send(adapter, first);
    expect(await inComposer()).toEqual([[first.dedupKey]]);
  });

  it('goes before the same prompt is pasted again, also if the agent leaves the rest of what it reads', async () => {
    // Longer than what it reads at once.
    const long = { instructions: 'Make it better. '.repeat(80) };
    const { adapter, first, send, inComposer } = await givenLate(',reads-partly', long);
    await send(adapter, first);
    expect(await inComposer()).toEqual([[first.dedupKey]]);
  });

  it('goes before another prompt is pasted', async () => {
    const { adapter, send, envelope, inComposer } = await givenLate();
    const other = envelope({ attempt: 2 });
    await send(adapter, other);
    expect(await inComposer()).toEqual([[other.dedupKey]]);
  });

  it('goes before the next daemon pastes', async () => {
    const { adapter, input, next, handle, first, send, inComposer } = await givenLate();
    await adapter.release(handle);
    const successor = next();
    await successor.start(input);
    await send(successor, first);
    expect(await inComposer()).toEqual([[first.dedupKey]]);
  });
});

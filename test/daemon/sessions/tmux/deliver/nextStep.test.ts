import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeliveryPorts } from '../../../../../daemon/sessions/tmux/deliver/deliveryPorts.ts';
import { look } from '../../../../../daemon/sessions/tmux/deliver/nextStep.ts';
import { clear } from '../../../../../daemon/sessions/tmux/deliver/typePrompt.ts';
import { TIMINGS } from '../../../../../daemon/sessions/tmux/profile/profile.ts';
import { steadyNow } from '../../../../../schemas/time/steadyTime.ts';
import { idlePorts, type Pane } from './idlePorts.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

const [OURS, EARLIER] = ['ours', 'earlier'];
const PROMPT = { uuid: OURS, dedupKey: OURS, text: 'text' };
const next = async (ports: DeliveryPorts) => (await look(PROMPT, ports, false)).do;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A prompt that was typed, and whose mark is on the pane. */
function typed(uuid: string, states: readonly ('pasted' | 'submitted' | 'failed' | 'acknowledged')[]) {
  const given = idlePorts();
  for (const state of states)
    given.ports.ledger.note({ uuid, dedupKey: uuid, state, pid: 1, life: 1, by: 'a turn began after Enter' });
  given.pane.mark = uuid;
  return given;
}

describe('a paste that the program has not reported', () => {
  it('is cleared before the next prompt, which waits until the program has read the keys', async () => {
    const { ports, pane } = typed(EARLIER, ['pasted', 'submitted', 'acknowledged']);
    expect(await next(ports)).toBe('clear');
    await clear(ports);
    expect(await next(ports)).toBe('wait');
    await pass(TIMINGS.clearAgainMs);
    expect(await next(ports)).toBe('wait');
    pane.print();
    await pass(TIMINGS.stableMs + 1);
    expect(await next(ports)).toBe('paste');
  });

  it('is not waited for without end if the program prints nothing', async () => {
    const { ports } = typed(EARLIER, ['pasted', 'submitted', 'acknowledged']);
    await clear(ports);
    await pass(TIMINGS.goneMs - 1);
    expect(await next(ports)).toBe('wait');
    await pass(1);
    expect(await next(ports)).toBe('paste');
  });

  it.each<[string, Partial<DeliveryPorts>]>([
    ['a hook', { hooked: (uuid) => uuid === EARLIER }],
    ['the conversation', { conversationHas: (uuid) => uuid === EARLIER }],
  ])('needs no keys once %s shows it', async (_, reports) => {
    const { ports } = typed(EARLIER, ['pasted', 'submitted', 'acknowledged']);
    expect(await next({ ...ports, ...reports })).toBe('paste');
  });
});

describe('text in the composer after devflow cleared it', () => {
  const cleared = async (uuid: string, states: readonly ('pasted' | 'failed')[]) => {
    const given = typed(uuid, states);
    await pass(TIMINGS.unreadMs);
    await clear(given.ports);
    return given;
  };
  const write = async (ports: DeliveryPorts, pane: Pane) => {
    pane.print();
    await pass(TIMINGS.stableMs + 1);
    await next(ports);
    pane.composer = 'also rename the';
    pane.print();
    await pass(TIMINGS.clearAgainMs);
  };

  it.each([
    ['prompt', OURS, ['pasted']],
    ['failed prompt', EARLIER, ['pasted', 'failed']],
  ] as const)("is a person's draft, not the %s", async (_, uuid, states) => {
    const { ports, pane } = await cleared(uuid, states);
    await write(ports, pane);
    expect(await look(PROMPT, ports, false)).toMatchObject({ do: 'wait', draft: true });
  });

  it('is still the failed prompt until the composer was seen empty', async () => {
    const { ports, pane } = await cleared(EARLIER, ['pasted', 'failed']);
    pane.composer = 'text';
    await pass(TIMINGS.clearAgainMs);
    expect(await next(ports)).toBe('clear');
  });
});

describe('the patience with a program that shows no sign of the prompt', () => {
  it('begins when the prompt leaves the composer', async () => {
    const { ports, pane } = typed(OURS, ['pasted', 'submitted']);
    pane.composer = 'text';
    pane.state = 'STARTING';
    await pass(TIMINGS.goneMs * 2);
    expect(await next(ports)).toBe('wait');
    pane.composer = '';
    pane.state = undefined;
    await pass(TIMINGS.goneMs - 1);
    expect(await next(ports)).toBe('wait');
    await pass(1);
    expect(await next(ports)).toBe('ask a person');
  });

  it('begins anew with the next daemon', async () => {
    const { ports } = typed(OURS, ['pasted', 'submitted']);
    await pass(TIMINGS.goneMs * 2);
    ports.noticed.shownAt = steadyNow();
    await pass(TIMINGS.goneMs - 1);
    expect(await next(ports)).toBe('wait');
  });

  it('begins when the program is idle', async () => {
    const { ports, pane } = typed(OURS, ['pasted', 'submitted']);
    await pass(TIMINGS.goneMs * 2);
    pane.idleSince();
    await pass(TIMINGS.goneMs - 1);
    expect(await next(ports)).toBe('wait');
  });
});

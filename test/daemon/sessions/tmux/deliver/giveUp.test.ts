import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deliver } from '../../../../../daemon/sessions/tmux/deliver/delivery.ts';
import type { DeliveryPorts } from '../../../../../daemon/sessions/tmux/deliver/deliveryPorts.ts';
import { settleOthers } from '../../../../../daemon/sessions/tmux/deliver/settleOthers.ts';
import { TIMINGS } from '../../../../../daemon/sessions/tmux/profile/profile.ts';
import { idlePorts } from './idlePorts.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

const MESSAGE = { uuid: 'ours', dedupKey: 'ours', text: 'text', isMessage: true };
const GIVEN_UP = new Error('nobody waits for it');
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A delivery to an agent whose composer has a draft of a person. */
function toDraft() {
  const given = idlePorts();
  given.pane.composer = 'also rename the';
  const giveUp = new AbortController();
  const ended = deliver(MESSAGE, given.ports, new AbortController().signal, giveUp.signal);
  const settled = ended.then(
    () => 'delivered',
    (error: unknown) => error,
  );
  return { ...given, settled, giveUp: () => giveUp.abort(GIVEN_UP) };
}

/** An agent at work, which stays at work. */
function busy(ports: DeliveryPorts): DeliveryPorts {
  const status = () => ({ state: 'BUSY', since: 0, signals: [] });
  return { ...ports, observer: { ...ports.observer, status } as unknown as DeliveryPorts['observer'] };
}

describe('a delivery that can be given up', () => {
  it('ends while nothing is typed, and says so in the record', async () => {
    const { settled, giveUp, ports } = toDraft();
    await pass(1_000);
    giveUp();
    expect(await settled).toBe(GIVEN_UP);
    expect(ports.ledger.of('ours')).toMatchObject({ state: 'failed', reason: 'given up', message: true });
    expect(ports.ledger.unsettled()).toEqual([]);
  });

  it('goes on once the text is typed', async () => {
    const { ports, pane } = idlePorts();
    const giveUp = new AbortController();
    const taken = new Set<string>();
    const acts = {
      ...ports.acts,
      paste: async (...given: Parameters<typeof ports.acts.paste>) => {
        const isPasted = await ports.acts.paste(...given);
        pane.mark = 'ours';
        giveUp.abort(GIVEN_UP);
        return isPasted;
      },
      enter: async () => {
        pane.composer = '';
        taken.add('ours');
      },
    };
    const each = { ...ports, acts, hooked: (uuid: string) => taken.has(uuid) };
    const ended = deliver(MESSAGE, each, new AbortController().signal, giveUp.signal);
    await pass(TIMINGS.pasteCapMs * 2);
    expect(await ended).toEqual({ taken: true, by: 'a hook reported it' });
  });

  it('waits for a busy agent without a time-out, and a prompt does not', async () => {
    const giveUp = new AbortController();
    const waiting = deliver(MESSAGE, busy(idlePorts().ports), new AbortController().signal, giveUp.signal);
    const isOver = waiting.then(
      () => true,
      () => true,
    );
    await pass(TIMINGS.readyMs * 3);
    expect(await Promise.race([isOver, Promise.resolve('it waits')])).toBe('it waits');
    giveUp.abort(GIVEN_UP);
    await isOver;
    const prompt = deliver({ ...MESSAGE, isMessage: false }, busy(idlePorts().ports), new AbortController().signal);
    await pass(TIMINGS.readyMs + 1);
    expect(await prompt).toMatchObject({ taken: false, reason: 'timed out: the agent is BUSY' });
  });
});

describe('a message that another prompt overtakes', () => {
  const settledAs = (state: 'queued' | 'pasted' | 'submitted', isMessage: boolean) => {
    const { ports } = idlePorts();
    const kind = isMessage ? { message: true as const } : {};
    ports.ledger.note({ uuid: 'ours', dedupKey: 'ours', state, pid: 1, life: 1, ...kind });
    settleOthers('another', ports);
    return ports.ledger.of('ours')?.state;
  };

  it.each([
    ['queued', 'failed', 'failed'],
    ['pasted', 'failed', 'failed'],
    ['submitted', 'uncertain', 'failed'],
  ] as const)('%s is %s, because it would be sent again; a prompt is %s', (state, ofMessage, ofPrompt) => {
    expect([settledAs(state, true), settledAs(state, false)]).toEqual([ofMessage, ofPrompt]);
  });
});

import { describe, expect, it } from 'vitest';
import type { TuiEvent } from '../../../tui/model/event.ts';
import { toast } from '../../../tui/model/toast.ts';
import { update } from '../../../tui/update/update.ts';
import { givenEvent, givenModel, NOW, through } from '../given.ts';

describe('an event of the daemon', () => {
  it('adds each run event once and in order, however often it comes', () => {
    const events = (...seqs: number[]) => ({
      ...({ type: 'events', runId: 'r1' } as const),
      events: seqs.map((seq) => givenEvent(seq)),
    });
    const { model } = through(givenModel(), [events(1, 2), events(2, 3), events(1), events(4, 4)]);
    const log = model.logs.get('r1');
    expect(log?.events.slice(0, log.count).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });

  it('replaces the events of a run whose log went back', () => {
    const events = (...seqs: number[]) => seqs.map((seq) => givenEvent(seq));
    const { model } = through(givenModel(), [
      { type: 'events', runId: 'r1', events: events(1, 2, 3) },
      { type: 'events', runId: 'r1', events: events(1, 2), isOther: true },
    ]);
    expect(model.logs.get('r1')).toMatchObject({ count: 2 });
  });

  it('never changes an older model', () => {
    const first = through(givenModel(), [{ type: 'events', runId: 'r1', events: [givenEvent(1)] }]).model;
    const one = through(first, [{ type: 'events', runId: 'r1', events: [givenEvent(2)] }]).model;
    const other = through(first, [{ type: 'events', runId: 'r1', events: [givenEvent(2), givenEvent(3)] }]).model;
    expect([first, one, other].map(({ logs }) => logs.get('r1')?.count)).toEqual([1, 2, 3]);
    expect(one.logs.get('r1')?.events[1]?.seq).toBe(2);
  });

  it('stores an answer, and keeps it if the next read fails', () => {
    const error = { code: 'internal', message: 'No.' };
    const { model } = through(givenModel(), [
      { type: 'data', answers: [['k', { value: 1 }]] },
      { type: 'data', answers: [['k', { error }]] },
    ]);
    expect(model.data.get('k')).toEqual({ value: 1, error });
    expect(through(model, [{ type: 'data', answers: [['k', { value: 2 }]] }]).model.data.get('k')).toEqual({
      value: 2,
    });
  });

  it('removes toasts when their time is over, and keeps only a few', () => {
    let model = givenModel();
    for (let nth = 0; nth < 9; nth += 1) model = toast(model, 'good', `said ${nth}`);
    expect(model.toasts.map(({ text }) => text)).toEqual(['said 5', 'said 6', 'said 7', 'said 8']);
    expect(update(model, { type: 'tick' }, NOW + 3_000).model.toasts).toHaveLength(4);
    expect(update(model, { type: 'tick' }, NOW + 5_000).model.toasts).toHaveLength(0);
    // The clock was set back.
    expect(update(model, { type: 'tick' }, NOW - 3_600_000).model.toasts).toHaveLength(0);
  });

  it('announces a new gate, and a reconnection to the daemon', () => {
    const gate = { runId: 'r', approvalId: 'a', gateKey: 'spec_approved', phaseKey: 'spec', state: 'pending' } as const;
    const { model } = through(givenModel(), [
      { type: 'notification', notification: { subscriptionId: 's', event: 'approval.created', data: gate } },
      { type: 'link', link: { state: 'away', since: NOW } },
      { type: 'link', link: { state: 'up' } },
    ]);
    expect(model.toasts.map(({ text }) => text).join(' ')).toMatch(/spec_approved.*Reconnected to the daemon/);
  });

  it('announces many gates in one toast, and shows no text twice', () => {
    const asked = (runId: string): TuiEvent => ({
      type: 'notification',
      notification: {
        subscriptionId: 's',
        event: 'approval.created',
        data: { runId, approvalId: 'a', gateKey: 'spec_approved', phaseKey: 'spec', state: 'pending' },
      },
    });
    const { model } = through(givenModel(), [asked('11111111-0'), asked('22222222-0'), asked('33333333-0')]);
    expect(model.toasts.map(({ text }) => text)).toEqual([
      '3 new gates wait for you, the newest: spec_approved (spec) of run 33333333. Press 2.',
    ]);
    const later = NOW + 20_000;
    const next = through(through(model, [{ type: 'tick' }], later).model, [asked('44444444-0')], later).model;
    expect(next.toasts.map(({ text }) => text)).toEqual([
      'A gate waits for you: spec_approved (spec) of run 44444444. Press 2.',
    ]);
    expect(toast(toast(model, 'warn', 'no'), 'warn', 'no').toasts).toHaveLength(2);
  });

  it('keeps a command in the footer until it ends', () => {
    const { model } = through(givenModel(), [
      { type: 'commandStarted', doing: 'starting' },
      { type: 'commandStarted', doing: 'checking' },
    ]);
    const answered = {
      type: 'commandEnded',
      doing: 'starting',
      then: (then: typeof model) => ({ model: then, commands: [] }),
    };
    expect(through(model, [answered as never]).model.busy).toEqual(['checking']);
  });
});

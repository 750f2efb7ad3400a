import type { Client } from '../../cli/client/connect.ts';
import type { NotificationParams } from '../../schemas/rpc/notifications.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import type { TuiEvent } from '../../tui/model/event.ts';
import { type Command, initialModel, type Model, type Place } from '../../tui/model/model.ts';
import { textOf } from '../../tui/text/line.ts';
import { update } from '../../tui/update/update.ts';
import { view } from '../../tui/view.ts';

export const NOW = Date.parse('2026-03-01T12:00:00Z');

export function givenModel(place: Place = { screen: 'runs' }, size = { columns: 80, rows: 24 }): Model {
  const model = initialModel({ size, now: NOW, version: '0.1.0', cwd: '/home/me/repo', place });
  return { ...model, link: { state: 'up' } };
}

/** The model after all events, and all commands on the way. */
export function through(model: Model, events: readonly TuiEvent[], now = NOW): { model: Model; commands: Command[] } {
  const commands: Command[] = [];
  let present = model;
  for (const event of events) {
    const next = update(present, event, now);
    present = next.model;
    commands.push(...next.commands);
  }
  return { model: present, commands };
}

export function press(model: Model, ...keys: string[]): { model: Model; commands: Command[] } {
  return through(
    model,
    keys.map((key) => ({ type: 'key', key })),
  );
}

export function typing(text: string): string[] {
  return [...text];
}

/** The text of the terminal. */
export function seen(model: Model): string {
  return view(model)
    .map((line) => textOf(line).trimEnd())
    .join('\n');
}

export function givenEvent(seq: number, runId = 'r1'): EventView {
  return {
    runId,
    seq,
    type: 'run.started',
    phaseId: null,
    payload: {},
    idempotencyKey: `k${seq}`,
    ts: new Date(NOW).toISOString(),
  };
}

/** A fake connection to the daemon. */
export interface FakeClient extends Client {
  readonly asked: { method: string; params: unknown }[];
  readonly subscriptions: { params: Record<string, unknown>; tell(notification: object): void }[];
  /** Ends the connection. */
  drop(): void;
}

export function fakeClient(answer: (method: string, params: unknown) => unknown = () => ({})): FakeClient {
  let drop = () => {};
  const closed = new Promise<void>((resolve) => {
    drop = resolve;
  });
  const asked: FakeClient['asked'] = [];
  const subscriptions: FakeClient['subscriptions'] = [];
  const request = async (method: string, params?: unknown) => {
    asked.push({ method, params });
    return answer(method, params);
  };
  return {
    asked,
    subscriptions,
    closed,
    drop,
    request,
    forgetEarly: () => {},
    close: drop,
    call: request as Client['call'],
    async subscribe(params, onNotification) {
      const tell = (notification: object) => onNotification(notification as NotificationParams);
      subscriptions.push({ params: params as Record<string, unknown>, tell });
      return { id: `s${subscriptions.length}`, runId: null, afterSeq: null, close: async () => {} };
    },
  };
}

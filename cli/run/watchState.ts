import { DevflowError } from '../../schemas/errors.ts';
import type { NotificationName, NotificationParams } from '../../schemas/rpc/notifications.ts';
import type { Client } from '../client/connect.ts';
import { createAwayPatience, PATIENCE_MS } from './awayPatience.ts';
import { isAway, waitLonger } from './followRun.ts';

/** All that can end a run, or make it need a person. The output of agents is not among them. */
const KINDS: NotificationName[] = [
  'run.state_changed',
  'phase.state_changed',
  'session.state_changed',
  'approval.created',
  'approval.resolved',
  'lanes.changed',
  'messages.changed',
  'queue.changed',
  'engine.changed',
  'heartbeat',
];

export interface WatchStateOptions<T> {
  connect(): Promise<Client>;
  /** Called at once and after every change, until it returns something. Calls never overlap. */
  look(client: Client): Promise<T | undefined>;
  /** True if the change may concern the caller. */
  concerns(change: NotificationParams): boolean;
  /** Called when the daemon stops answering. The watch waits for it. */
  onAway?(): void;
  signal: AbortSignal;
  /** Waits before attempt `n`, counted from 0. Tests do not wait. */
  wait?(attempt: number, signal: AbortSignal): Promise<void>;
}

/** Looks until there is something, across restarts of the daemon. Undefined if the signal comes first. */
export async function watchState<T>(options: WatchStateOptions<T>): Promise<T | undefined> {
  const { connect, onAway, signal, wait = waitLonger } = options;
  const patience = createAwayPatience(onAway);
  let attempt = 0;
  let isFirst = true;
  const look = async (client: Client) => {
    const found = await options.look(client);
    patience.back();
    attempt = 0;
    return found;
  };
  while (!signal.aborted) {
    try {
      const client = await connect();
      isFirst = false;
      const found = await lookUntilFound(client, { ...options, look });
      if (found !== undefined) return found;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (isFirst || !isAway(error)) throw error;
      if (patience.isOver(error)) throw gaveUp();
    }
    if (!signal.aborted) await wait(attempt++, signal);
  }
  return undefined;
}

/** Undefined if the connection is lost. */
async function lookUntilFound<T>(
  client: Client,
  { look, concerns, signal }: WatchStateOptions<T>,
): Promise<T | undefined> {
  const stop = () => client.close();
  signal.addEventListener('abort', stop);
  let isOpen = true;
  let hasChanged = false;
  let wake = () => {};
  void client.closed.then(() => {
    isOpen = false;
    wake();
  });
  try {
    if (signal.aborted) return undefined;
    // Before the first look, so that no change is between the two.
    await client.subscribe({ kinds: KINDS }, (change) => {
      if (change.event === 'heartbeat' ? change.data.lost === 0 : !concerns(change)) return;
      hasChanged = true;
      wake();
    });
    while (isOpen) {
      hasChanged = false;
      const found = await look(client);
      if (found !== undefined) return found;
      if (isOpen && !hasChanged)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    return undefined;
  } finally {
    signal.removeEventListener('abort', stop);
    client.close();
  }
}

function gaveUp(): DevflowError {
  return new DevflowError('daemon_not_running', `the daemon has not answered for ${PATIENCE_MS / 1000}s`, {
    recoveryHint: 'Start it with devflow up, then wait again. Runs continue with it.',
  });
}

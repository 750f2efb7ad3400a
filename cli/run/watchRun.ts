import { DevflowError } from '../../schemas/errors.ts';
import type { RunDetail } from '../../schemas/rpc/views/run.ts';
import type { Client } from '../client/connect.ts';
import { createAwayPatience, PATIENCE_MS } from './awayPatience.ts';
import { followRun, isAway } from './followRun.ts';

export interface WatchOptions {
  connect(): Promise<Client>;
  runId: string;
  /** Called with the current run, at once and after every change. Calls never overlap. */
  onChange(run: RunDetail): void | Promise<void>;
  /** Called when the daemon stops answering. The watch waits for it. */
  onAway?(): void;
  signal: AbortSignal;
}

/** Watches a run to its end, across restarts of the daemon. Undefined if the signal comes first. */
export async function watchRun(options: WatchOptions): Promise<RunDetail | undefined> {
  const { connect, runId, onChange, onAway, signal } = options;
  const stop = new AbortController();
  signal.addEventListener('abort', () => stop.abort(), { once: true });
  let last: RunDetail | undefined;
  let fault: unknown;
  let wanted = false;
  let busy = false;
  const patience = createAwayPatience(onAway);

  const show = async () => {
    const client = await connect();
    try {
      last = await client.call('run.get', { runId });
    } finally {
      client.close();
    }
    if (stop.signal.aborted) return;
    await onChange(last);
    if (isOver(last)) stop.abort();
  };
  const refresh = async () => {
    wanted = true;
    if (busy) return;
    busy = true;
    try {
      while (wanted && !stop.signal.aborted) {
        wanted = false;
        await show();
      }
    } catch (error) {
      // If the daemon is away, `followRun` notices it, too, and refreshes once it is back.
      if (!isAway(error)) end(error);
    } finally {
      busy = false;
    }
  };
  const end = (error: unknown) => {
    fault ??= error;
    stop.abort();
  };
  const reconnect = async () => {
    try {
      const client = await connect();
      patience.back();
      return client;
    } catch (error) {
      if (patience.isOver(error)) end(gaveUp(runId));
      throw error;
    }
  };

  await show();
  if (last && !stop.signal.aborted) {
    const poke = () => void refresh();
    const onHint = ({ event }: { event: string }) => void (event !== 'heartbeat' && refresh());
    const { signal: until } = stop;
    await followRun({
      connect: reconnect,
      runId,
      afterSeq: last.lastSeq,
      onEvent: poke,
      onHint,
      onReconnect: poke,
      signal: until,
    });
  }
  if (fault) throw fault;
  return last && isOver(last) ? last : undefined;
}

function isOver({ state }: { state: string }): boolean {
  return state === 'completed' || state === 'failed' || state === 'aborted';
}

function gaveUp(runId: string): DevflowError {
  return new DevflowError('daemon_not_running', `the daemon has not answered for ${PATIENCE_MS / 1000}s`, {
    runId,
    recoveryHint: `Start it with devflow up. The run ${runId} then continues.`,
    data: { runId },
  });
}

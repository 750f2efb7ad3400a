import type { Logger } from 'pino';
import { visible } from '../../schemas/text/visible.ts';
import { isTmuxError } from '../../tmux/command/errors.ts';
import type { Run } from '../core/run/state.ts';
import type { EventBus } from '../events/bus.ts';
import { listServers } from './servers.ts';
import { forgetMissed, type TellMode, tellServer } from './tell.ts';
import { type QueuedRuns, tallyOf } from './text.ts';

export interface TmuxNoticesOptions {
  config: { tmux: { binaryPath?: string }; notify: { tmux: TellMode | 'off' } };
  /** The directory in which the plugin leaves a file for each server that it was loaded in. */
  paths: { tmuxServers: string };
  bus: Pick<EventBus, 'listen'>;
  openRuns(): Run[];
  queuedRuns(): QueuedRuns;
  log: Pick<Logger, 'warn'>;
}

export interface TmuxNotices {
  /** Undefined if the setting is off. */
  tell: ((notice: { title: string; text: string }) => void) | undefined;
  /** Resolves when all notices are shown and those that wait for a client are withdrawn. */
  close(): Promise<void>;
}

/** Shows each notice once on every tmux server that has the plugin. It talks to a server only for a notice. */
export function createTmuxNotices(options: TmuxNoticesOptions): TmuxNotices {
  const { config, paths, bus, openRuns, queuedRuns, log } = options;
  const mode = config.notify.tmux;
  if (mode === 'off') return { tell: undefined, close: async () => {} };
  const binary = config.tmux.binaryPath ?? 'tmux';
  const missedAt = new Set<string>();
  let telling: Promise<void> = Promise.resolve();
  /** Of notices and withdrawals that are not done. */
  let waiting = 0;

  const inTurn = (work: () => Promise<void>) => {
    waiting += 1;
    telling = telling
      .then(work)
      .catch((err: unknown) => log.warn({ err }, 'could not show a notice in tmux'))
      .finally(() => {
        waiting -= 1;
      });
  };

  async function tellAt(socket: string, text: string, how: TellMode): Promise<void> {
    try {
      if ((await tellServer({ binary, socket }, text, how)) === 'missed') missedAt.add(socket);
    } catch (err) {
      if (!isTmuxError(err, 'no_server')) log.warn({ err, socket }, 'could not show a notice in tmux');
    }
  }

  async function forget(): Promise<void> {
    const sockets = [...missedAt];
    missedAt.clear();
    await Promise.all(sockets.map((socket) => forgetMissed({ binary, socket }).catch(() => {})));
  }

  // Withdraw waiting notices once somebody has decided elsewhere, also one that is just being shown.
  const unlisten = bus.listen(null, ({ events }) => {
    if (events.length === 0 || (missedAt.size === 0 && waiting === 0)) return;
    const { approvals, trouble } = tallyOf(openRuns(), queuedRuns());
    if (approvals + trouble === 0) inTurn(forget);
  });

  return {
    tell({ title, text }) {
      inTurn(async () => {
        const servers = await listServers(paths.tmuxServers);
        await Promise.all(servers.map(({ socket }) => tellAt(socket, visible(`${title}: ${text}`), mode)));
      });
    },
    async close() {
      unlisten();
      inTurn(forget);
      await telling;
    },
  };
}

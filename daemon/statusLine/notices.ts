import type { Logger } from 'pino';
import { visible } from '../../schemas/visible.ts';
import { isTmuxError } from '../../tmux/errors.ts';
import type { Run } from '../engine/core/state.ts';
import type { EventBus } from '../events/bus.ts';
import { listServers } from './servers.ts';
import { forgetMissed, type TellMode, tellServer } from './tell.ts';
import { tallyOf } from './text.ts';

export interface TmuxNoticesOptions {
  config: { tmux: { binaryPath?: string }; notify: { tmux: TellMode | 'off' } };
  /** Where the plugin leaves a file for each server that it was loaded in. */
  paths: { tmuxServers: string };
  bus: Pick<EventBus, 'listen'>;
  openRuns(): Run[];
  log: Pick<Logger, 'warn'>;
}

export interface TmuxNotices {
  /** Undefined where the setting is off. */
  tell: ((notice: { title: string; text: string }) => void) | undefined;
  /** Resolves when all is told, and what nobody has come for is taken back. */
  close(): Promise<void>;
}

/** Tells a person on every tmux server that has the plugin, each notice once. A server is spoken to for a notice alone. */
export function createTmuxNotices({ config, paths, bus, openRuns, log }: TmuxNoticesOptions): TmuxNotices {
  const mode = config.notify.tmux;
  if (mode === 'off') return { tell: undefined, close: async () => {} };
  const binary = config.tmux.binaryPath ?? 'tmux';
  const missedAt = new Set<string>();
  let telling: Promise<void> = Promise.resolve();

  const inTurn = (work: () => Promise<void>) => {
    telling = telling.then(work).catch((err: unknown) => log.warn({ err }, 'a tmux server was not told'));
  };

  async function tellAt(socket: string, text: string, how: TellMode): Promise<void> {
    try {
      if ((await tellServer({ binary, socket }, text, how)) === 'missed') missedAt.add(socket);
    } catch (err) {
      if (!isTmuxError(err, 'no_server')) log.warn({ err, socket }, 'a tmux server was not told');
    }
  }

  async function forget(): Promise<void> {
    const sockets = [...missedAt];
    missedAt.clear();
    await Promise.all(sockets.map((socket) => forgetMissed({ binary, socket }).catch(() => {})));
  }

  // What was decided elsewhere meanwhile is no news to whoever comes.
  const unlisten = bus.listen(null, ({ events }) => {
    if (events.length === 0 || missedAt.size === 0) return;
    const { approvals, trouble } = tallyOf(openRuns());
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

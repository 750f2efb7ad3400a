import type { Logger } from 'pino';
import type { Run } from '../core/run/state.ts';
import type { BusItem, EventBus } from '../events/bus.ts';
import { watchDirectory } from '../system/watchDirectory.ts';
import { clearStatusOnExit } from './clearStatusOnExit.ts';
import { pushStatus } from './push.ts';
import { dropServer, listServers, type StatusServer } from './servers.ts';
import { type QueuedRuns, statusText, tallyOf, titleInNeed } from './text.ts';

/** At most this often; a burst of events is one change of the text. */
const EVERY_MS = 250;

export interface StatusLineOptions {
  config: { tmux: { binaryPath?: string } };
  /** The directory in which the plugin leaves a file for each server that it was loaded in. */
  paths: { tmuxServers: string };
  bus: Pick<EventBus, 'listen'>;
  openRuns(): Run[];
  queuedRuns(): QueuedRuns;
  /** Since when the server of the engine does not answer, as an ISO time. */
  serverAwaySince(): string | undefined;
  log: Pick<Logger, 'warn'>;
  list?: typeof listServers;
}

/**
 * Keeps `#{@devflow_status}` current on every tmux server that has the plugin, so that a status line starts no process.
 * It talks to a server only when the text changes. Without servers it costs one directory watch. Resolves with a function
 * that stops it and clears the text everywhere; a crash clears it too.
 */
export async function startStatusLine(options: StatusLineOptions): Promise<() => Promise<void>> {
  const { bus, openRuns, queuedRuns, serverAwaySince, log, list = listServers } = options;
  const directory = options.paths.tmuxServers;
  const binary = options.config.tmux.binaryPath ?? 'tmux';
  const cleaner = clearStatusOnExit(binary, process.pid);
  const shown = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let pushing: Promise<void> = Promise.resolve();
  let servers: StatusServer[] | undefined;
  /** Counts the notices: what was found before one is not kept after it. */
  let notices = 0;
  let closed = false;

  async function show(server: StatusServer, text: string): Promise<void> {
    if (shown.get(server.file) === text) return;
    cleaner.include(server.socket);
    const before = notices;
    try {
      if ((await pushStatus({ binary, socket: server.socket }, text, process.pid)) === 'gone') await forget(server);
      else if (before === notices) shown.set(server.file, text);
    } catch (err) {
      log.warn({ err, socket: server.socket }, 'could not set the status of a tmux server');
    }
  }

  async function forget(server: StatusServer): Promise<void> {
    shown.delete(server.file);
    servers = servers?.filter(({ file }) => file !== server.file);
    await dropServer(server);
  }

  async function pushAll(): Promise<void> {
    const before = notices;
    const found = servers ?? (await list(directory));
    if (before === notices) servers = found;
    if (found.length === 0) return;
    const runs = openRuns();
    const queued = queuedRuns();
    const tally = tallyOf(runs, queued);
    const more = { awaySince: serverAwaySince(), title: titleInNeed(runs, queued) };
    await Promise.all(found.map((server) => show(server, statusText(tally, server.charset, more))));
  }

  function soon(): void {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      pushing = pushing
        .then(pushAll)
        .catch((err: unknown) => log.warn({ err }, 'could not update the tmux status lines'));
    }, EVERY_MS);
    timer.unref();
  }

  const onNotice = (name: string | undefined) => {
    // A new server shows nothing yet, and a server that ended no longer counts.
    notices += 1;
    servers = undefined;
    for (const file of [...shown.keys()]) if (name === undefined || file.endsWith(`/${name}`)) shown.delete(file);
    soon();
  };
  const watch = await watchDirectory(directory, onNotice).catch((err: unknown) => {
    // Runs must not fail because of a status line.
    log.warn({ err, directory }, 'tmux status lines are off: cannot watch their directory');
  });
  if (!watch) return async () => {};
  const unlisten = bus.listen(null, (item) => {
    if (movesSomething(item) && servers?.length !== 0) soon();
  });
  soon();

  return async () => {
    closed = true;
    unlisten();
    watch.close();
    clearTimeout(timer);
    await pushing;
    await cleaner.clear();
  };
}

/** Pane output arrives many times a second and never changes a run. */
function movesSomething({ events, hints }: BusItem): boolean {
  return events.length > 0 || hints.some(({ event }) => event !== 'transcript.chunk_appended');
}

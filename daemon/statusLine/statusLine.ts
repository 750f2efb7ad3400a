import type { Logger } from 'pino';
import type { Run } from '../engine/core/state.ts';
import type { BusItem, EventBus } from '../events/bus.ts';
import { watchDirectory } from '../watchDirectory.ts';
import { createFarewell } from './farewell.ts';
import { pushStatus } from './push.ts';
import { dropServer, listServers, type StatusServer } from './servers.ts';
import { statusText, tallyOf } from './text.ts';

/** At most this often; a burst of events is one change of the text. */
const EVERY_MS = 250;

export interface StatusLineOptions {
  config: { tmux: { binaryPath?: string } };
  /** Where the plugin leaves a file for each server that it was loaded in. */
  paths: { tmuxServers: string };
  bus: Pick<EventBus, 'listen'>;
  openRuns(): Run[];
  log: Pick<Logger, 'warn'>;
}

/**
 * Keeps `#{@devflow_status}` up to date on every tmux server that has the plugin, so that a status line starts no
 * process. A server is spoken to only when its text changes. Without servers it costs one directory watch. Resolves with
 * how to stop, after which the text is gone everywhere, as it is after a crash.
 */
export async function startStatusLine(options: StatusLineOptions): Promise<() => Promise<void>> {
  const { bus, openRuns, log } = options;
  const directory = options.paths.tmuxServers;
  const binary = options.config.tmux.binaryPath ?? 'tmux';
  const farewell = createFarewell(binary, process.pid);
  const shown = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let pushing: Promise<void> = Promise.resolve();
  let servers: StatusServer[] | undefined;
  let closed = false;

  async function show(server: StatusServer, text: string): Promise<void> {
    if (shown.get(server.file) === text) return;
    farewell.include(server.socket);
    try {
      if ((await pushStatus({ binary, socket: server.socket }, text, process.pid)) === 'gone') await forget(server);
      else shown.set(server.file, text);
    } catch (err) {
      log.warn({ err, socket: server.socket }, 'a tmux server did not take its status');
    }
  }

  async function forget(server: StatusServer): Promise<void> {
    shown.delete(server.file);
    servers = servers?.filter(({ file }) => file !== server.file);
    await dropServer(server);
  }

  async function pushAll(): Promise<void> {
    servers ??= await listServers(directory);
    if (servers.length === 0) return;
    const tally = tallyOf(openRuns());
    await Promise.all(servers.map((server) => show(server, statusText(tally, server.charset))));
  }

  function soon(): void {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      pushing = pushing.then(pushAll).catch((err: unknown) => log.warn({ err }, 'the status lines were not told'));
    }, EVERY_MS);
    timer.unref();
  }

  const onNotice = (name: string | undefined) => {
    // What is new there has nothing on it yet; of what has gone nothing is known any more.
    servers = undefined;
    for (const file of [...shown.keys()]) if (name === undefined || file.endsWith(`/${name}`)) shown.delete(file);
    soon();
  };
  const watch = await watchDirectory(directory, onNotice).catch((err: unknown) => {
    // Nobody's run is to wait for a status line.
    log.warn({ err, directory }, 'status lines are not told');
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
    await farewell.say();
  };
}

/** What a pane prints comes many times a second and moves no run. */
function movesSomething({ events, hints }: BusItem): boolean {
  return events.length > 0 || hints.some(({ event }) => event !== 'transcript.chunk_appended');
}

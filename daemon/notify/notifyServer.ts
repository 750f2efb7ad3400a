import { serverAwayWords, WITHOUT_SERVER } from '../../schemas/states/host.ts';
import { withLocalTimes } from '../../schemas/time/localTime.ts';
import type { RunEngine } from '../engine/runEngine.ts';
import type { EventBus } from '../events/bus.ts';
import type { Tell } from './notify.ts';
import type { News } from './webhook/news.ts';

/** A server that restarts is back before this. */
const PATIENCE_MS = 10_000;

const TITLE = 'devflow';

/** Notifies a person when the server of the engine stays away, and then when it is back. Returns a function that stops it. */
export function notifyServer(options: {
  /** A way that is switched off is undefined. */
  ways: readonly (Tell | undefined)[];
  bus: Pick<EventBus, 'listen'>;
  server: RunEngine['server'];
  tellNews?: ((news: News) => void) | undefined;
  patienceMs?: number;
}): () => void {
  const { bus, server, tellNews, patienceMs = PATIENCE_MS } = options;
  const enabled = options.ways.filter((way) => way !== undefined);
  if (enabled.length === 0 && tellNews === undefined) return () => {};
  /** Since when it was away; undefined: nobody was told so. */
  let told: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  const tell = (text: string, key: string) => {
    for (const way of enabled) way({ title: TITLE, text: withLocalTimes(text) });
    tellNews?.({ kind: 'server', key, since: null, title: TITLE, text, how: 'devflow status' });
  };

  function consider(): void {
    const now = server();
    if (now?.away) {
      timer ??= setTimeout(tellAway, patienceMs);
      timer.unref();
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    if (told !== undefined && now) tell(`Temporal at ${now.address} answers again. Runs go on.`, `server:back:${told}`);
    told = undefined;
  }

  function tellAway(): void {
    const now = server();
    if (!now?.away) return;
    told = now.away.since;
    const words = serverAwayWords({ address: now.address, away: now.away });
    tell(`${words}. ${WITHOUT_SERVER}`, `server:away:${told}`);
  }

  const unlisten = bus.listen(null, ({ hints }) => {
    if (hints.some(({ event }) => event === 'engine.changed')) consider();
  });
  // The server may have been away before anybody listened.
  consider();
  return () => {
    unlisten();
    clearTimeout(timer);
  };
}

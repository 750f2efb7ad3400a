import { serverAwayWords, WITHOUT_SERVER } from '../../schemas/states/host.ts';
import { withLocalTimes } from '../../schemas/time/localTime.ts';
import type { RunEngine } from '../engine/runEngine.ts';
import type { EventBus } from '../events/bus.ts';
import type { Tell } from './notify.ts';

/** A server that restarts is back before this. */
const PATIENCE_MS = 10_000;

const TITLE = 'devflow';

/** Notifies a person when the server of the engine stays away, and then when it is back. Returns a function that stops it. */
export function notifyServer(options: {
  /** A way that is switched off is undefined. */
  ways: readonly (Tell | undefined)[];
  bus: Pick<EventBus, 'listen'>;
  server: RunEngine['server'];
  patienceMs?: number;
}): () => void {
  const { bus, server, patienceMs = PATIENCE_MS } = options;
  const enabled = options.ways.filter((way) => way !== undefined);
  if (enabled.length === 0) return () => {};
  let isTold = false;
  let timer: NodeJS.Timeout | undefined;

  const tell = (text: string) => {
    for (const way of enabled) way({ title: TITLE, text });
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
    if (isTold && now) tell(`Temporal at ${now.address} answers again. Runs go on.`);
    isTold = false;
  }

  function tellAway(): void {
    const now = server();
    if (!now?.away) return;
    isTold = true;
    tell(withLocalTimes(`${serverAwayWords({ address: now.address, away: now.away })}. ${WITHOUT_SERVER}`));
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

import type { Config } from '../../schemas/config/config.ts';
import { webhookSecrets } from '../../schemas/config/webhookUrl.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import { withLocalTimes } from '../../schemas/time/localTime.ts';
import type { Here } from '../core/run/place.ts';
import type { Run } from '../core/run/state.ts';
import type { Database } from '../db/database.ts';
import type { RunEngine } from '../engine/runEngine.ts';
import type { EventBus } from '../events/bus.ts';
import type { moduleLogs } from '../log/log.ts';
import { logRunEvents } from '../log/logRunEvents.ts';
import { notifyPerson } from '../notify/notify.ts';
import { notifyByCommand } from '../notify/notifyCommand.ts';
import { notifyServer } from '../notify/notifyServer.ts';
import { deliver } from '../notify/webhook/deliver.ts';
import type { News } from '../notify/webhook/news.ts';
import { createWebhook, type Webhook } from '../notify/webhook/webhook.ts';
import { knowSecrets } from '../sessions/transcript/knownSecrets.ts';
import { createTmuxNotices } from '../statusLine/notices.ts';
import type { QueuedRuns } from '../statusLine/text.ts';
import { createWebhookNotices } from '../store/webhookNotices.ts';
import type { Clock } from '../system/clock.ts';
import type { Lifecycle } from './lifecycle.ts';

interface Parts {
  config: Config;
  paths: Paths;
  bus: EventBus;
  openRuns(): Run[];
  queuedRuns(): QueuedRuns;
  readRun(runId: string): Promise<Run | undefined>;
  server: RunEngine['server'];
  database: Pick<Database, 'pool'>;
  here: Here;
  clock: Clock;
  logOf: ReturnType<typeof moduleLogs>;
  lifecycle: Lifecycle;
}

export interface Notices {
  /** Undefined: there is none. */
  webhook: Webhook | undefined;
  /** News that belongs to no run. `detail` stays on this machine. */
  tellPerson(news: News, detail: string): void;
}

/** Notices for a person and lines of the log about events, until the daemon stops. */
export function startNotices(parts: Parts): Notices {
  const { config, paths, bus, openRuns, queuedRuns, readRun, server, logOf, lifecycle } = parts;
  const notices = createTmuxNotices({ config, paths, bus, openRuns, queuedRuns, log: logOf('notify') });
  lifecycle.hold('tmux notices', notices.close);
  const webhook = openWebhook(parts);
  if (webhook) lifecycle.hold('webhook', webhook.close);
  const ways = [notifyByCommand({ command: config.notify.command, log: logOf('notify') }), notices.tell];
  lifecycle.hold('notify', notifyPerson({ ways, bus, openRuns, readRun, log: logOf('notify') }));
  lifecycle.hold('notify about the server', notifyServer({ ways, bus, server, tellNews: webhook?.tell }));
  lifecycle.hold('event lines', logRunEvents({ bus, openRuns, log: logOf('events') }));
  return {
    webhook,
    tellPerson(news, detail) {
      for (const tell of ways) tell?.({ title: news.title, text: withLocalTimes(detail) });
      webhook?.tell(news);
    },
  };
}

function openWebhook({ config, bus, queuedRuns, readRun, database, here, clock, logOf }: Parts): Webhook | undefined {
  const { url, secret, kinds } = config.notify.webhook;
  if (url === undefined) return undefined;
  knowSecrets('notify.webhook', webhookSecrets({ url, secret }));
  return createWebhook({
    settings: { url, secret, kinds },
    notices: createWebhookNotices(database.pool, here.shared ? here.id : null),
    bus,
    queuedRuns,
    readRun,
    deliver,
    now: () => clock.now(),
    after(ms, act) {
      const timer = setTimeout(act, ms).unref();
      return () => clearTimeout(timer);
    },
    log: logOf('notify'),
  });
}

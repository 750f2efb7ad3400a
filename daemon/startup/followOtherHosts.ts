import type { Logger } from 'pino';
import type { Config } from '../../schemas/config/config.ts';
import { type Here, hostOf } from '../core/run/place.ts';
import type { Database } from '../db/database.ts';
import { listen } from '../db/listen.ts';
import type { OtherRuns } from '../engine/hosts/otherRuns.ts';
import { createSilentHosts } from '../engine/hosts/silentHosts.ts';
import type { SharedRuns } from '../engine/local/engine.ts';
import { listHosts } from '../store/hosts.ts';
import { HOSTS_CHANNEL } from './chunkNotices.ts';
import type { Lifecycle } from './lifecycle.ts';

/** If a notice is lost with its connection, the daemon reads what it missed within this time. */
const LOOK_MS = 15_000;

/**
 * Keeps the runs of other hosts fresh until the daemon stops. Asks a person about those whose host is silent for too
 * long. Resolves when they are read for the first time.
 */
export async function followOtherHosts(parts: {
  config: Pick<Config, 'temporal'>;
  here: Here;
  others: OtherRuns;
  shared: Pick<SharedRuns, 'record'>;
  chunks: { receive(notice: string): boolean };
  database: Pick<Database, 'connection' | 'pool'>;
  lifecycle: Lifecycle;
  log: Pick<Logger, 'warn'>;
}): Promise<void> {
  const { config, here, others, shared, chunks, database, lifecycle, log } = parts;
  const refresh = () => void others.refresh().catch(() => {});
  const onNotice = (notice: string) => {
    if (!chunks.receive(notice)) others.heard(notice);
  };
  const listening = listen(database.connection, HOSTS_CHANNEL, { onNotice, onOpen: refresh });
  lifecycle.hold('other hosts', () => listening.close());
  const looking = setInterval(refresh, LOOK_MS);
  lifecycle.hold('looks at other hosts', () => clearInterval(looking));
  await others.refresh();
  const silentHosts = createSilentHosts({
    hostId: here.id,
    silentHostMs: config.temporal.silentHostMs,
    listHosts: () => listHosts(database.pool),
    openRuns: others.openRuns,
    hostOf: (run) => hostOf(run, here),
    record: shared.record,
    log,
  });
  lifecycle.hold('silent hosts', () => silentHosts.stop());
  void silentHosts.look();
}

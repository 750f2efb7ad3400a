import { listen } from '../db/listen.ts';
import type { Database } from '../db/open.ts';
import type { OtherRuns } from '../engine/hosts/otherRuns.ts';
import { HOSTS_CHANNEL } from './chunkNotices.ts';
import type { Lifecycle } from './lifecycle.ts';

/** If a notice is lost with its connection, the daemon reads what it missed within this time. */
const LOOK_MS = 15_000;

/** Keeps the runs of other hosts fresh until the daemon stops. Resolves when they are read for the first time. */
export async function followOtherHosts(
  others: Pick<OtherRuns, 'heard' | 'refresh'>,
  chunks: { receive(notice: string): boolean },
  database: Pick<Database, 'connection'>,
  lifecycle: Lifecycle,
): Promise<void> {
  const refresh = () => void others.refresh().catch(() => {});
  const onNotice = (notice: string) => {
    if (!chunks.receive(notice)) others.heard(notice);
  };
  const listening = listen(database.connection, HOSTS_CHANNEL, { onNotice, onOpen: refresh });
  lifecycle.hold('other hosts', () => listening.close());
  const looking = setInterval(refresh, LOOK_MS);
  lifecycle.hold('looks at other hosts', () => clearInterval(looking));
  await others.refresh();
}

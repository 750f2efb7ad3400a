import { createCommitter } from '../../../daemon/db/committer.ts';
import { openExternal } from '../../../daemon/db/external.ts';
import { takeLeadership } from '../../../daemon/db/leader.ts';
import { listen } from '../../../daemon/db/listen.ts';
import { migrate } from '../../../daemon/db/migrate.ts';

/** A daemon that only opens the connections of one, says so, and waits to be killed. */
const [url = '', migrations = ''] = process.argv.slice(2);
const database = await openExternal({ url });
await migrate(database, migrations);
const { epoch } = await takeLeadership(database, { host: 'h1', onLost: () => {} });
const { promise: isListening, resolve } = Promise.withResolvers<void>();
listen(database.connection, 'devflow_commits', { onNotice: () => {}, onOpen: resolve });
await isListening;
// It opens its connection, and is refused: there is no such run.
await createCommitter(database.connection, { epoch })
  .commit({ runId: '5f0c1c1e-5a44-4d3e-9f39-0d6f7a3b2c10', expectedSeq: 9, events: [] })
  .catch(() => {});
await database.pool.query('SELECT 1');
console.log('leads');
setInterval(() => {}, 1000);

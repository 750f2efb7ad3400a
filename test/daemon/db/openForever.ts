import { openDatabase } from '../../../daemon/db/open.ts';

/** A daemon that only opens the database, says so, and waits to be killed. */
const database = await openDatabase({ mode: 'embedded', ...JSON.parse(process.argv[2] ?? '') });
await database.pool.query('CREATE SCHEMA IF NOT EXISTS kept').catch(() => {}); // two at once collide
console.log(JSON.stringify({ pid: database.serverPid, adopted: database.adopted }));
setInterval(() => {}, 1000);

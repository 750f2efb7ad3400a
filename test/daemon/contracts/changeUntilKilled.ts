import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createContractHandlers } from '../../../daemon/api/contracts/contractHandlers.ts';

/** Applies an event to a cycle, and ends at once, without any cleaning up, when this many files are in place. */
const [repo = '', id = '', event = '', killAfter = '1'] = process.argv.slice(2);
const rename = fs.renameSync;
let left = Number(killAfter);
fs.renameSync = (from, to) => {
  rename(from, to);
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();
const handlers = createContractHandlers({ now: Date.now, isInUse: async () => false });
// biome-ignore lint/suspicious/noExplicitAny: a test calls handlers without a connection
await (handlers as any)['cycle.apply']({ repo, id, event: JSON.parse(event) });

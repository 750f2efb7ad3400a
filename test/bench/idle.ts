import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, createSheet } from './figure.ts';
import { withPlace } from './place.ts';
import { cpuMs, postmasterOf, pssMegabytes, treeOf } from './processes.ts';

const SETTLE_MS = 5_000;
const WATCH_MS = 10_000;

/** What devflow uses while nothing happens. */
export const idle: Bench = {
  name: 'idle',
  title: 'At rest',
  reading:
    'A daemon that was started on an initialised home and has no run, 5 s after it was ready. Memory is the ' +
    'proportional share (PSS) of all its processes, from `/proc/<pid>/smaps_rollup`: pages that several share ' +
    'count once. CPU is user and system time over 10 s, in percent of one core.',
  run: ({ rounds = 2 }) =>
    withPlace(async ({ devflow }) => {
      const sheet = createSheet();
      await devflow('up');
      for (let round = 0; round < rounds; round += 1) {
        await devflow('down');
        const { daemon } = JSON.parse((await devflow('up', '--json')).stdout);
        await sleep(SETTLE_MS);
        const groups = { daemon: [daemon.pid], database: treeOf(postmasterOf(daemon.pid)) };
        const before = { daemon: cpuMs(groups.daemon), database: cpuMs(groups.database) };
        await sleep(WATCH_MS);
        for (const name of ['daemon', 'database'] as const) {
          sheet.add(`${name} MB`, pssMegabytes(groups[name]));
          sheet.add(`${name} %`, ((cpuMs(groups[name]) - before[name]) / WATCH_MS) * 100);
        }
        sheet.add('both MB', pssMegabytes([...groups.daemon, ...groups.database]));
      }
      return [
        { name: 'daemon and database, memory', unit: 'MB', rounds: sheet.of('both MB'), aim: { below: 120 } },
        { name: 'daemon, memory', unit: 'MB', rounds: sheet.of('daemon MB') },
        { name: 'database, memory', unit: 'MB', rounds: sheet.of('database MB') },
        { name: 'daemon, CPU', unit: '%', rounds: sheet.of('daemon %') },
        { name: 'database, CPU', unit: '%', rounds: sheet.of('database %') },
      ];
    }),
};

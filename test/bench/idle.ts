import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, createSheet } from './figure.ts';
import { withPlace } from './place.ts';
import { cpuMs, postmasterOf, pssMegabytes, treeOf, wakesOf } from './processes.ts';

const SETTLE_MS = 5_000;
const WATCH_MS = 10_000;

/** What devflow uses while nothing happens. */
export const idle: Bench = {
  name: 'idle',
  title: 'At rest',
  reading:
    'A daemon that was started on an initialised home and has no run, 5 s after it was ready. Memory is the ' +
    'proportional share (PSS) of all its processes, from `/proc/<pid>/smaps_rollup`: pages that several share ' +
    'count once. CPU is user and system time over 10 s, in percent of one core. Wake-ups are those of the main thread ' +
    'in these 10 s; with a webhook whose news is sent there should be as many as without.',
  run: ({ rounds = 2 }) =>
    withPlace(async ({ devflow, paths }) => {
      const sheet = createSheet();
      await devflow('up');
      for (let round = 0; round < rounds; round += 1) {
        await devflow('down');
        const { daemon } = JSON.parse((await devflow('up', '--json')).stdout);
        await sleep(SETTLE_MS);
        const groups = { daemon: [daemon.pid], database: treeOf(postmasterOf(daemon.pid)) };
        const before = { daemon: cpuMs(groups.daemon), database: cpuMs(groups.database) };
        const wakes = wakesOf(daemon.pid);
        await sleep(WATCH_MS);
        sheet.add('wakes', wakesOf(daemon.pid) - wakes);
        for (const name of ['daemon', 'database'] as const) {
          sheet.add(`${name} MB`, pssMegabytes(groups[name]));
          sheet.add(`${name} %`, ((cpuMs(groups[name]) - before[name]) / WATCH_MS) * 100);
        }
        sheet.add('both MB', pssMegabytes([...groups.daemon, ...groups.database]));
      }
      writeFileSync(paths.configFile, JSON.stringify({ notify: { webhook: { url: 'http://127.0.0.1:9/' } } }));
      for (let round = 0; round < rounds; round += 1) {
        await devflow('down');
        const { daemon } = JSON.parse((await devflow('up', '--json')).stdout);
        await sleep(SETTLE_MS);
        const wakes = wakesOf(daemon.pid);
        await sleep(WATCH_MS);
        sheet.add('wakes with a webhook', wakesOf(daemon.pid) - wakes);
      }
      return [
        { name: 'daemon and database, memory', unit: 'MB', rounds: sheet.of('both MB'), aim: { below: 120 } },
        { name: 'daemon, memory', unit: 'MB', rounds: sheet.of('daemon MB') },
        { name: 'database, memory', unit: 'MB', rounds: sheet.of('database MB') },
        { name: 'daemon, CPU', unit: '%', rounds: sheet.of('daemon %') },
        { name: 'database, CPU', unit: '%', rounds: sheet.of('database %') },
        { name: 'daemon, wake-ups', unit: '', rounds: sheet.of('wakes') },
        { name: 'daemon with a webhook, wake-ups', unit: '', rounds: sheet.of('wakes with a webhook') },
      ];
    }),
};

import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { type Bench, createSheet, type Figure, quantile } from './figure.ts';
import { withPlace } from './place.ts';
import { measureList, measureLog } from './tuiLoad.ts';
import { forgetCache, givenRun, measureBare, measureIdle, measurePopup, withPopups } from './tuiPaint.ts';

const RATE = 1_000;
const KEYS = 150;
const COLD_ROUNDS = 8;

/** The delays that a person notices in the dashboard. */
export const tui: Bench = {
  name: 'tui',
  title: 'The dashboard',
  reading:
    'The terminal is a pseudo terminal of the benchmark (`script`), which writes keys and reads what is painted. ' +
    'Each figure ends when the run’s row, the selection or the help has been read there. The key of ' +
    '`devflow.tmux` opens the popup in a tmux of the benchmark’s own. Cold is without compile cache, as after an ' +
    'upgrade (the files are in the page cache). Keys are pressed every 40 to 120 ms, in two places: in the list ' +
    'of 500 runs, while 1,000 notifications a second report changed runs, and in the log of a run of 100,000 ' +
    'events, while 1,000 more a second arrive. A stand-in for the daemon, in a process of its own, sends them. ' +
    'Memory is that of the dashboard with that log open.',
  async run({ rounds = 20 }) {
    const sheet = createSheet();
    await withPlace(async (place) => {
      await place.devflow('up');
      await givenRun(place);
      await measureBare(place);
      await withPopups(place, async (terminal) => {
        await measurePopup(terminal);
        for (let round = 0; round < rounds; round += 1) {
          sheet.add('popup', await measurePopup(terminal));
          sheet.add('bare', await measureBare(place));
        }
        for (let round = 0; round < Math.min(rounds, COLD_ROUNDS); round += 1) {
          forgetCache(place);
          sheet.add('popup cold', await measurePopup(terminal));
          forgetCache(place);
          sheet.add('bare cold', await measureBare(place));
        }
      });
      for (let round = 0; round < 2; round += 1) await measureIdle(place, sheet);
    });
    const list = await withPlace((place) => measureList(place, RATE, KEYS));
    const calm = await withPlace((place) => measureList(place, 0, KEYS));
    const log = await withPlace((place) => measureLog(place, RATE, KEYS));
    const rested = await withPlace((place) => measureLog(place, 0, 0));
    for (let round = 0; round < rounds; round += 1) required(sheet);
    return [
      ...p50p95('key to the run in the popup, warm', sheet.of('popup'), { p50: 180 }),
      ...p50p95('key to the run in the popup, cold', sheet.of('popup cold')),
      ...p50p95('program start to the run, no popup, warm', sheet.of('bare')),
      ...p50p95('program start to the run, no popup, cold', sheet.of('bare cold')),
      ...p50p95('key to paint, list of 500 runs at rest', calm),
      ...p50p95('key to paint, list of 500 runs, 1,000 events a second', list, { p95: 16 }),
      ...p50p95('key to paint, log of 100,000 events, 1,000 more a second', log.samples, { p95: 16 }),
      { name: '100,000 events, from key to the newest', unit: 'ms', rounds: [log.loaded, rested.loaded] },
      { name: 'memory with them, at rest (RSS)', unit: 'MB', rounds: [rested.rss], aim: { below: 90 } },
      { name: 'memory with them, at rest (PSS)', unit: 'MB', rounds: [rested.pss] },
      { name: 'memory with them, 1,000 more a second (RSS)', unit: 'MB', rounds: [log.rss] },
      { name: 'CPU at rest', unit: '%', rounds: sheet.of('idle %'), aim: { below: 0.5 } },
      { name: `${LIBRARY}: require lib/program.js`, unit: 'ms', rounds: sheet.of(`${LIBRARY} ms`) },
      { name: `${LIBRARY}: memory after it (RSS)`, unit: 'MB', rounds: sheet.of(`${LIBRARY} MB`) },
    ];
  },
};

function p50p95(name: string, samples: readonly number[], aim: { p50?: number; p95?: number } = {}): Figure[] {
  const sorted = samples.toSorted((a, b) => a - b);
  const below = (value: number | undefined) => (value === undefined ? {} : { aim: { below: value } });
  return [
    { name: `${name}, p50`, unit: 'ms', rounds: [quantile(sorted, 0.5)], ...below(aim.p50) },
    { name: `${name}, p95`, unit: 'ms', rounds: [quantile(sorted, 0.95)], ...below(aim.p95) },
  ];
}

const LIBRARY = 'neo-blessed';
const { resolve } = createRequire(import.meta.filename);

/** Only what the dashboard uses of it, in a separate Node, from its sources: no bundle, no compile cache. */
function required(sheet: ReturnType<typeof createSheet>): void {
  const path = resolve(`${LIBRARY}/lib/program.js`);
  const code = `const t = performance.now(); require(${JSON.stringify(path)});
    console.log(performance.now() - t, process.memoryUsage.rss() / 2 ** 20)`;
  const [ms, megabytes] = execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' }).split(' ').map(Number);
  sheet.add(`${LIBRARY} ms`, ms ?? Number.NaN);
  sheet.add(`${LIBRARY} MB`, megabytes ?? Number.NaN);
}

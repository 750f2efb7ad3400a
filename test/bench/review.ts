import { join } from 'node:path';
import { type Bench, createSheet } from './figure.ts';
import { ROOT, runProgram } from './place.ts';

/** How long it takes to find out which findings are the same. The daemon does nothing else meanwhile. */
export const review: Bench = {
  name: 'review',
  title: 'Clustering a thousand findings',
  reading:
    'The pure functions that find out which findings are the same (`matchBatch`) and which may be (`likelyPairs`), for ' +
    '1,000 findings of eight reviewers. Half of the findings of each reviewer are those of the reviewer before, in ' +
    'other words. Each value is from a process of its own. "First" is its first clustering. "Later" is the median of ' +
    'the next 20.',
  run: async ({ rounds = 10 }) => {
    const sheet = createSheet();
    for (let round = -1; round < rounds; round += 1) {
      const { first, later } = await clusterOnce();
      if (round < 0) continue;
      sheet.add('first', first);
      sheet.add('later', later);
    }
    const aim = { below: 100 };
    return [
      { name: 'first clustering', unit: 'ms', rounds: sheet.of('first'), aim },
      { name: 'later clustering', unit: 'ms', rounds: sheet.of('later'), aim },
    ];
  },
};

async function clusterOnce(): Promise<{ first: number; later: number }> {
  const program = join(ROOT, 'test', 'bench', 'reviewOnce.ts');
  const { stdout } = await runProgram(['--disable-warning=ExperimentalWarning', program]);
  return JSON.parse(stdout);
}

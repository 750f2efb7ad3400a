import { join } from 'node:path';
import { type Bench, createSheet } from './figure.ts';
import { ROOT, runProgram } from './place.ts';

/** How long the check of a large plan takes. The daemon does nothing else meanwhile. */
export const overlap: Bench = {
  name: 'overlap',
  title: 'Overlap of a hundred tasks',
  reading:
    'The pure check whether tasks may write the same files (`findOverlaps`), for 100 tasks without dependencies and ' +
    'without a common file, so that each of the 4,950 pairs is decided. In the first plan each task has five globs: ' +
    'two directories, a file, a name with alternatives, and a path with brackets. In the second plan each task has ' +
    'four globs that name a feature, three of them with `**` before it, so that they all begin alike. Each value is ' +
    'from a process of its own. "First" is its first check, as in a daemon that has not checked a plan before. ' +
    '"Later" is the median of the next 20.',
  run: async ({ rounds = 10 }) => {
    const sheet = createSheet();
    for (let round = -1; round < rounds; round += 1) {
      for (const plan of ['apart', 'scattered']) {
        const { first, later } = await checkOnce(plan);
        if (round < 0) continue;
        sheet.add(`${plan} first`, first);
        sheet.add(`${plan} later`, later);
      }
    }
    const aim = { below: 100 };
    return [
      { name: 'a directory for each task, first check', unit: 'ms', rounds: sheet.of('apart first'), aim },
      { name: 'a directory for each task, later check', unit: 'ms', rounds: sheet.of('apart later'), aim },
      { name: 'files in many directories, first check', unit: 'ms', rounds: sheet.of('scattered first'), aim },
      { name: 'files in many directories, later check', unit: 'ms', rounds: sheet.of('scattered later'), aim },
    ];
  },
};

async function checkOnce(plan: string): Promise<{ first: number; later: number }> {
  const program = join(ROOT, 'test', 'bench', 'overlapOnce.ts');
  const { stdout } = await runProgram(['--disable-warning=ExperimentalWarning', program, plan]);
  return JSON.parse(stdout);
}

import { type Bench, createSheet } from './figure.ts';
import { CLI, runProgram, withPlace } from './place.ts';

/** How long the smallest commands take, compared with Node itself. */
export const cli: Bench = {
  name: 'cli',
  title: 'Start of the CLI',
  reading:
    'The programs take turns on the same Node, measured from before the start until their end. Each round is one ' +
    'start of each, and differences and ratios are taken within a round. The shell launcher `bin/devflow` adds ' +
    'the start of `sh` (about 1 ms), which is not in these figures. The compile cache is warm, as it is from the ' +
    'second command on.',
  run: ({ rounds = 40 }) =>
    withPlace(async ({ devflow, env }) => {
      await devflow('up');
      const programs: Record<string, () => Promise<{ ms: number }>> = {
        node: () => runProgram(['-e', '0'], env),
        help: () => runProgram([CLI, '--help'], env),
        status: () => runProgram([CLI, 'status'], env),
      };
      const sheet = createSheet();
      for (let round = -3; round < rounds; round += 1) {
        const ms: Record<string, number> = {};
        for (const [name, run] of Object.entries(programs)) ms[name] = (await run()).ms;
        if (round < 0) continue;
        const { node = 0, help = 0, status = 0 } = ms;
        sheet.add('node', node);
        sheet.add('help', help);
        sheet.add('help more', help - node);
        sheet.add('help ratio', help / node);
        sheet.add('status', status);
        sheet.add('status more', status - node);
        sheet.add('status ratio', status / node);
      }
      return [
        { name: 'node -e 0', unit: 'ms', rounds: sheet.of('node') },
        { name: 'devflow --help', unit: 'ms', rounds: sheet.of('help') },
        { name: 'devflow --help, above node -e 0', unit: 'ms', rounds: sheet.of('help more'), aim: { below: 12 } },
        { name: 'devflow --help, ratio', unit: '×', rounds: sheet.of('help ratio') },
        { name: 'devflow status', unit: 'ms', rounds: sheet.of('status') },
        { name: 'devflow status, above node -e 0', unit: 'ms', rounds: sheet.of('status more') },
        { name: 'devflow status, ratio', unit: '×', rounds: sheet.of('status ratio') },
      ];
    }),
};

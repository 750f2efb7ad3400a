import type { Command } from 'commander';
import { type Cli, group, type Leaves } from './leaf.ts';

export function defineBacktest(program: Command, cli: Cli): void {
  group(program, cli, 'backtest', 'look at runs that are judged by measurements', fillBacktest);
}

function fillBacktest({ dataLeaf }: Leaves): void {
  dataLeaf('list', 'list the latest measured runs, newest first', () => import('../commands/backtest.list.ts'))
    .option('--limit <n>', 'how many (default: 20)')
    .option('--all', 'all of them, without a limit');
  dataLeaf(
    'try',
    'measure the base once with the command of an objective; starts no run',
    () => import('../commands/backtest.try.ts'),
  )
    .requiredOption('--objective <file>', 'the objective, as for run start')
    .option('--repo <dir>', 'the repository (default: the current directory)')
    .option('--base <branch>', 'the branch to measure (default: the one that is checked out)')
    .option('--template <name>', 'the template that would measure (default: backtest-strategy)')
    .option('--extra <file>', 'the command, for an objective without measure');
  dataLeaf(
    'show <run> [iteration]',
    'show what a run measured in its iterations, or one of them whole; 0 is the base',
    () => import('../commands/backtest.show.ts'),
  );
  dataLeaf(
    'compare <run> [a] [b]',
    'compare two iterations of a run (default: the base and the best)',
    () => import('../commands/backtest.compare.ts'),
  ).option('--no-pager', 'do not use a pager');
}

import { usage } from '../input/parse.ts';
import { type Actions, command } from './command.ts';
import { argument, directory, flag, negated, number, own, parsed, required, text } from './entry.ts';

const runId = argument('<run>');

export const BACKTEST = {
  list: command('backtest.list', 'list the latest measured runs, newest first', {
    limit: number('<n>', 'how many (default: 20)'),
    all: own(flag('all of them, without a limit')),
  }),
  try: command('backtest.try', 'measure the base once with the command of an objective; starts no run', {
    objective: own(required(text('<file>', 'the objective, as for run start'))),
    repo: directory('the repository (default: the current directory)'),
    base: text('<branch>', 'the branch to measure (default: the one that is checked out)'),
    template: text('<name>', 'the template that would measure (default: backtest-strategy)'),
    extra: own(text('<file>', 'the command, for an objective without measure')),
  }),
  show: command('backtest.show', 'show what a run measured in its iterations, or one of them whole; 0 is the base', {
    runId,
    iteration: parsed(argument('[iteration]'), iteration),
  }),
  compare: command('backtest.compare', 'compare two iterations of a run (default: the base and the best)', {
    runId,
    a: parsed(argument('[a]'), iteration),
    b: parsed(argument('[b]'), iteration),
    pager: own(negated('do not use a pager')),
  }),
};
export type Backtest = Actions<typeof BACKTEST>;

/** The number of an iteration; 0 is the base. */
function iteration(_: string, text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw usage(`${text} is no iteration: give its number, or 0 for the base`);
}

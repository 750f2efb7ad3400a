import type { Exchange } from '../../../schemas/definitions/exchange.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import type { ExchangeState } from '../run/exchangeState.ts';
import type { Run } from '../run/state.ts';
import { autodevFiles } from './autodev.ts';
import { cycleFiles } from './cycle.ts';
import { handoverFiles } from './handover.ts';

/** The files of a convention after an event. `run` is the run after it. */
export type FilesAfter = (before: ExchangeState, run: Run, event: RunEvent) => ExchangeState;

const CONVENTIONS: Readonly<Record<Exchange, FilesAfter>> = {
  autodev: autodevFiles,
  cycle: cycleFiles,
  handover: handoverFiles,
};

/** The run with the files of its exchange after an event. Before it has a worktree there are none. */
export function withExchange(run: Run, event: RunEvent): Run {
  const { exchange: convention } = run.template;
  if (!convention || (run.exchange === null && event.type !== 'run.started')) return run;
  const exchange = CONVENTIONS[convention](run.exchange ?? { files: {} }, run, event);
  return exchange === run.exchange ? run : { ...run, exchange };
}

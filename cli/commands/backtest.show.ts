import { calls } from '../daemon/calls.ts';
import type { Backtest } from '../define/backtest.ts';
import { printIteration, printLoop } from '../print/backtest.ts';

export const action: Backtest['show'] = calls('backtest.show', (io, answer) => {
  if (answer.detail) printIteration(io, answer.detail);
  else printLoop(io, answer);
});

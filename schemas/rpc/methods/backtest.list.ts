import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { LoopSummary } from '../views/backtest.ts';
import { ListLimit } from '../views/refs.ts';

export const backtestList = defineMethod({
  name: 'backtest.list',
  summary: 'List the latest runs that are judged by measurements, newest first',
  params: z.strictObject({ limit: ListLimit }),
  result: z.array(LoopSummary),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['limit'],
  errors: [],
});

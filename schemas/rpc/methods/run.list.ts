import { z } from 'zod';
import { RunState } from '../../enums.ts';
import { defineMethod } from '../contract.ts';
import { ListLimit } from '../views/refs.ts';
import { RunSummary } from '../views/run.ts';

export const runList = defineMethod({
  name: 'run.list',
  summary: 'List the open runs and the latest ended ones, newest first',
  params: z.strictObject({
    state: RunState.optional(),
    limit: ListLimit,
  }),
  result: z.array(RunSummary),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['state', 'limit'],
  errors: [],
});

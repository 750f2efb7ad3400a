import { z } from 'zod';
import { RunState } from '../../enums.ts';
import { defineMethod } from '../contract.ts';
import { Limit } from '../views/refs.ts';
import { RunSummary } from '../views/run.ts';

export const runList = defineMethod({
  name: 'run.list',
  summary: 'List runs, newest first',
  params: z.strictObject({
    state: RunState.optional(),
    limit: Limit.default(100),
  }),
  result: z.array(RunSummary),
  paramNames: ['state', 'limit'],
  errors: [],
});

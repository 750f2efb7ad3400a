import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { RunLanes } from '../views/lanes.ts';
import { RunRef } from '../views/refs.ts';

export const runLanes = defineMethod({
  name: 'run.lanes',
  summary: 'Show the parallel work of a run: tasks, lanes, merge queue, overlaps and merge tests',
  params: z.strictObject({ runId: RunRef }),
  result: RunLanes,
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['runId'],
  errors: ['not_found', 'ambiguous_id'],
});

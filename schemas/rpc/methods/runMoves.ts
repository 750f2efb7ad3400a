import { z } from 'zod';
import { isKebabCase } from '../../contracts/document/fields.ts';
import { defineMethod } from '../contract.ts';
import { LoggedText, RunRef } from '../views/refs.ts';
import { RunMoved } from '../views/run.ts';

export const runProgress = defineMethod({
  name: 'run.progress',
  summary: 'Say how far the agent of the running phase is; no decision depends on it',
  params: z.strictObject({
    runId: RunRef,
    number: z.number().int().min(0).max(1_000),
    name: z.string().max(64).refine(isKebabCase, 'write lower-case words with - between them'),
    detail: LoggedText.pipe(z.string().max(500)).default(''),
  }),
  result: RunMoved,
  changes: 'something',
  caller: 'anyone',
  paramNames: ['runId', 'number', 'name', 'detail'],
  errors: ['usage', 'not_found', 'ambiguous_id', 'state_conflict'],
});

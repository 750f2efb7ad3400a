import { z } from 'zod';
import { Measurement, Verdict } from '../../objective/measured.ts';
import { defineMethod } from '../contract.ts';
import { DefinitionRef, isStorable, PathText, UNSTORABLE } from '../views/refs.ts';

export const backtestTry = defineMethod({
  name: 'backtest.try',
  summary:
    'Measure a commit once with the command of an objective, and compare the result with its targets. Starts no run',
  params: z.strictObject({
    repo: PathText.describe('directory of the repository'),
    objective: z.unknown().refine(isStorable, UNSTORABLE).describe('the objective itself, not a path'),
    template: DefinitionRef.default('backtest-strategy'),
    base: z.string().min(1).optional().describe('branch to measure; absent: the branch that is checked out'),
    extra: z
      .record(z.string(), z.unknown())
      .refine(isStorable, UNSTORABLE)
      .optional()
      .describe('the command, for an objective without measure'),
  }),
  result: z.object({
    commit: z.string(),
    argv: z.array(z.string()),
    /** The judged part of the data; the holdout is never measured here. */
    part: z.enum(['validation', 'all']),
    /** devflow's reading of the objective, a line each. */
    objective: z.array(z.string()),
    measurement: Measurement,
    targets: z.array(Verdict),
    guards: z.array(Verdict),
    /** Why a run would stop at its base, in sentences without full stops. */
    faults: z.array(z.string()),
    /** Points for a person to check. */
    warnings: z.array(z.string()),
    /** The last that the command printed. */
    output: z.string(),
    tookMs: z.number(),
  }),
  changes: 'something',
  caller: 'person',
  paramNames: ['repo', 'objective'],
  errors: [
    'repo_invalid',
    'branch_missing',
    'path_unsafe',
    'template_not_found',
    'destructive_command_blocked',
    'secret_access_blocked',
    'command_failed',
    'git_failed',
    'usage',
  ],
});

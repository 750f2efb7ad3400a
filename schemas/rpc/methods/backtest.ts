import { z } from 'zod';
import { Measurement, Verdict } from '../../objective/measured.ts';
import { defineAct, defineMethod, defineRead } from '../contract.ts';
import { DiffView } from '../views/approval.ts';
import { IterationDetail, IterationRow, LoopSummary } from '../views/backtest.ts';
import { DefinitionRef, isStorable, ListLimit, PathText, RunRef, UNSTORABLE } from '../views/refs.ts';

export const backtestList = defineRead({
  name: 'backtest.list',
  summary: 'List the latest runs that are judged by measurements, newest first',
  params: z.strictObject({ limit: ListLimit }),
  result: z.array(LoopSummary),
});

/** Iterations are numbered from 1; 0 is the state before the first change. */
const IterationRef = z.number().int().nonnegative();

export const backtestShow = defineMethod({
  name: 'backtest.show',
  summary: 'Show what a run measured in its iterations, and one iteration whole',
  params: z.strictObject({
    runId: RunRef,
    iteration: IterationRef.optional().describe('the iteration to show whole; 0 is the base'),
  }),
  result: z.object({
    summary: LoopSummary,
    /** The objective; without the bounds of the holdout while the run is open. */
    objective: z.unknown(),
    iterations: z.array(IterationRow),
    /** Null unless an iteration was asked for. */
    detail: IterationDetail.nullable(),
    /** When the data of its equity begins and ends; null if nothing says so. */
    dates: z.strictObject({ from: z.string(), to: z.string() }).nullable(),
  }),
  changes: 'nothing',
  caller: 'reader',
  errors: ['not_found', 'ambiguous_id', 'usage'],
});

export const backtestCompare = defineMethod({
  name: 'backtest.compare',
  summary: 'Compare two iterations of a run: what was measured, and what differs in the code',
  params: z.strictObject({
    runId: RunRef,
    a: IterationRef.optional().describe('absent: the base, 0'),
    b: IterationRef.optional().describe('absent: the best iteration'),
  }),
  result: z.object({
    runId: z.string(),
    a: IterationDetail,
    b: IterationDetail,
    /** From the commit of a to the commit of b. Null if a commit is gone. */
    diff: DiffView.nullable(),
  }),
  answeredBy: { hostOf: 'runId', elsewhere: 'ask' },
  changes: 'nothing',
  caller: 'reader',
  errors: ['not_found', 'ambiguous_id', 'usage', 'git_failed'],
});

export const backtestTry = defineAct({
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

import { z } from 'zod';
import { defineContractAct, defineContractMethod, defineContractRead } from '../../contract.ts';
import { ReportView, repo } from '../../views/contracts.ts';

/** The id of a cycle, such as `cycle-v1-20260122T100000-abc123`. */
const id = z.string();
/** The CycleState, as its file has it. */
const State = z.record(z.string(), z.unknown());
const mode = z.enum(['strict', 'soft']).optional();

/** Errors of every method that acts on one cycle. */
const ACTING = ['usage', 'contract_not_found', 'contract_invalid'] as const;
const WRITING = [...ACTING, 'contract_in_use', 'path_unsafe', 'cycle_transition'] as const;
const EXTENDING = [...WRITING, 'cycle_iteration_open', 'cycle_max_iterations'] as const;

/** The state of a parallel development cycle, and what changes it. */
export const CYCLE_METHODS = [
  defineContractAct({
    name: 'cycle.new',
    summary: 'Make a cycle',
    params: z.strictObject({
      repo,
      task: z.string(),
      description: z.string().optional(),
      maxIterations: z.number().optional(),
      id: id.optional(),
    }),
    result: State,
    errors: ['usage', 'contract_not_found', 'contract_in_use', 'path_unsafe', 'cycle_exists'],
  }),
  defineContractRead({
    name: 'cycle.list',
    summary: 'List the ids of the cycles',
    params: z.strictObject({ repo }),
    result: z.array(z.string()),
    errors: ['contract_not_found'],
  }),
  defineContractRead({
    name: 'cycle.show',
    summary: 'Show the state of a cycle',
    params: z.strictObject({ repo, id }),
    result: State,
    errors: ACTING,
  }),
  defineContractRead({
    name: 'cycle.validate',
    summary: 'Check the state of a cycle',
    params: z.strictObject({ repo, id, mode }),
    result: ReportView,
    errors: ['usage', 'contract_not_found'],
  }),
  defineContractRead({
    name: 'cycle.control',
    summary: 'Say whether the agents of a cycle may go on',
    params: z.strictObject({ repo, id }),
    result: z.object({
      cycleId: z.string(),
      /** Null if the state has no text for it. */
      status: z.string().nullable(),
      continue: z.boolean(),
      action: z.enum(['continue', 'pause', 'stop', 'unknown']),
    }),
    errors: ACTING,
  }),
  defineContractAct({
    name: 'cycle.pause',
    summary: 'Pause a cycle',
    params: z.strictObject({ repo, id }),
    result: State,
    errors: WRITING,
  }),
  defineContractAct({
    name: 'cycle.resume',
    summary: 'Resume a paused cycle',
    params: z.strictObject({ repo, id }),
    result: State,
    errors: WRITING,
  }),
  defineContractAct({
    name: 'cycle.fail',
    summary: 'Mark a cycle as failed',
    params: z.strictObject({ repo, id, reason: z.string() }),
    result: State,
    errors: WRITING,
  }),
  defineContractAct({
    name: 'cycle.complete',
    summary: 'Complete a cycle after its last iteration',
    params: z.strictObject({ repo, id }),
    result: State,
    errors: WRITING,
  }),
  defineContractAct({
    name: 'cycle.extend',
    summary: 'Start the next iteration for a further task',
    params: z.strictObject({ repo, id, task: z.string(), maxIterations: z.number().optional() }),
    result: State,
    errors: EXTENDING,
  }),
  defineContractAct({
    name: 'cycle.apply',
    summary: 'Apply an event to a cycle',
    params: z.strictObject({ repo, id, event: z.record(z.string(), z.unknown()) }),
    result: z.object({ contract: z.string(), subject: z.string(), state: State, files: z.array(z.string()) }),
    errors: [
      ...EXTENDING,
      'cycle_exists',
      'cycle_not_running',
      'cycle_not_owner',
      'cycle_agents_open',
      'cycle_unknown_item',
      'cycle_invalid_option',
    ],
  }),
  defineContractMethod({
    name: 'cycle.rebuild',
    summary: 'Make the state of a cycle anew from its documents',
    params: z.strictObject({ repo, id, apply: z.boolean().optional(), force: z.boolean().optional() }),
    result: ReportView,
    changes: { if: 'apply' },
    caller: 'person',
    errors: ['usage', 'contract_not_found', 'contract_in_use', 'path_unsafe', 'cycle_state_intact'],
  }),
  defineContractMethod({
    name: 'cycle.sync',
    summary: 'Compare the documents of a cycle with its state, or repair them',
    params: z.strictObject({ repo, id, apply: z.boolean().optional() }),
    result: ReportView,
    changes: { if: 'apply' },
    caller: 'person',
    errors: [...ACTING, 'contract_in_use', 'path_unsafe'],
  }),
] as const;

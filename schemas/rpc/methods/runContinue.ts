import { z } from 'zod';
import { Backend } from '../../enums.ts';
import { defineMethod } from '../contract.ts';
import { DefinitionRef, isStorable, LoggedText, RunRef, UNSTORABLE } from '../views/refs.ts';
import { BindingView, RunMoved } from '../views/run.ts';
import { DryRun } from './runStart.ts';

/** What would follow in a run. */
export const ContinuePlan = z.object({
  dryRun: z.literal(true),
  runId: z.string(),
  template: z.string(),
  templateHash: z.string(),
  /** `fresh`: false if the agent goes on in its conversation. */
  bindings: z.array(BindingView.extend({ fresh: z.boolean() })),
  phases: DryRun.shape.phases,
});
export type ContinuePlan = z.infer<typeof ContinuePlan>;

export const runContinue = defineMethod({
  name: 'run.continue',
  summary: 'Let the phases of a template follow in a run that you lead, or preview that with dryRun',
  params: z.strictObject({
    runId: RunRef,
    template: DefinitionRef.describe('name (newest version) or name@version'),
    requirements: LoggedText.optional().describe('what follows is for this, too'),
    extra: z
      .record(z.string(), z.unknown())
      .refine(isStorable, UNSTORABLE)
      .optional()
      .describe('commands for command phases; absent: the checks of the work so far'),
    bind: z.record(z.string(), DefinitionRef).default({}).describe('role to persona, for roles without an agent'),
    backend: z.record(z.string(), Backend).default({}).describe('role to backend, for roles without an agent'),
    now: z.boolean().default(false).describe('also if the agent is in a turn, or has messages left'),
    shown: z.string().optional().describe('the hash of the page that the person was shown at the gate'),
    dryRun: z.boolean().default(false),
    clientToken: z.uuid().describe('the same token again changes nothing'),
  }),
  result: z.union([RunMoved.extend({ template: z.string() }), ContinuePlan]),
  answeredBy: { hostOf: 'runId', elsewhere: 'ask' },
  changes: { unless: 'dryRun' },
  caller: 'person',
  errors: [
    'not_found',
    'ambiguous_id',
    'state_conflict',
    'usage',
    'template_not_found',
    'requirements_missing',
    'changes_under_decision',
    'artifact_changed',
    'persona_not_found',
    'no_eligible_persona',
    'binding_refused',
    'backend_unavailable',
    'destructive_command_blocked',
    'secret_access_blocked',
    'host_unreachable',
  ],
});

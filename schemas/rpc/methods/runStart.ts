import { z } from 'zod';
import { BroughtSchema } from '../../definitions/brought.ts';
import { Backend, PhaseKind } from '../../enums.ts';
import { SandboxWord } from '../../sandbox.ts';
import { defineMethod, defineRead } from '../contract.ts';
import { QueuePlace } from '../views/queue.ts';
import { DefinitionRef, GitRef, isStorable, LoggedText, PathText, RunRef, Title, UNSTORABLE } from '../views/refs.ts';
import { BindingView } from '../views/run.ts';
import { ChangeRequest, StartNotes } from '../views/start.ts';

/** A preview of a run. */
export const DryRun = StartNotes.extend({
  dryRun: z.literal(true),
  template: z.string(),
  templateHash: z.string(),
  repoPath: z.string(),
  baseBranch: z.string(),
  baseCommit: z.string(),
  /** The newest commit that is reviewed; null for a template that makes a change. */
  reviewHead: z.string().nullable(),
  bindings: z.array(BindingView),
  phases: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      kind: PhaseKind,
      roles: z.array(z.string()),
      artifact: z.string().nullable(),
      gates: z.array(z.string()),
      /** The commands that devflow runs, including those given at the start. */
      commands: z.array(z.array(z.string())),
      /** Why it is skipped, because its work is there; absent if it runs. */
      skipped: z.string().optional(),
    }),
  ),
  /** devflow's reading of the objective, a line each. Absent for a run that is not measured. */
  objective: z.array(z.string()).optional(),
});
export type DryRun = z.infer<typeof DryRun>;

export const runStart = defineMethod({
  name: 'run.start',
  summary: 'Start a run, or preview it with dryRun',
  params: z.strictObject({
    repo: PathText.describe('directory of the repository'),
    template: DefinitionRef.optional().describe('name (newest version) or name@version; absent: as the settings say'),
    requirements: LoggedText.describe('the text itself, not a path'),
    base: GitRef.optional().describe('base branch; absent: as the settings say, else the branch that is checked out'),
    draft: z
      .string()
      .optional()
      .describe('the YAML text of a template that is not published; then template is only a name for messages'),
    draftArtifacts: z
      .array(BroughtSchema)
      .max(100)
      .refine(isStorable, UNSTORABLE)
      .default([])
      .describe('artifact schemas that are not published, for this run alone'),
    draftPersonas: z
      .array(z.string())
      .max(100)
      .default([])
      .describe('YAML texts of personas that are not published; bind names them'),
    change: ChangeRequest.optional().describe(
      'the change to review; a template that only reviews needs it, others refuse it',
    ),
    objective: z
      .unknown()
      .refine(isStorable, UNSTORABLE)
      .optional()
      .describe('a JSON object; only for a template with {{objective}} in its instructions'),
    extra: z
      .record(z.string(), z.unknown())
      .refine(isStorable, UNSTORABLE)
      .optional()
      .describe('commands for command phases: phase key to a list of argv'),
    bind: z.record(z.string(), DefinitionRef).default({}).describe('role to persona'),
    backend: z.record(z.string(), Backend).default({}).describe('role to backend'),
    sandbox: SandboxWord.optional().describe(
      'whether the programs of agents, or all of the run, run in a sandbox; absent: as the settings say',
    ),
    here: z
      .boolean()
      .optional()
      .describe('work in the checkout, and not in a worktree; only for templates that need none'),
    parallel: z
      .boolean()
      .default(false)
      .describe('start even if another run of this repository and base branch is open'),
    after: RunRef.optional().describe(
      'the run that must be completed or applied first; its base branch is then read anew. Runs beside it are allowed',
    ),
    host: z
      .string()
      .min(1)
      .optional()
      .describe('the host that gets the run; absent: the one that is asked. The directory is one of that host'),
    settings: z.boolean().default(true).describe('false: without the settings of the repository, and without guesses'),
    allowSetup: z
      .boolean()
      .default(false)
      .describe('allow what the settings run, in this run alone, unless a person forbade it'),
    dryRun: z.boolean().default(false),
    clientToken: z.uuid().optional().describe('the same token again starts nothing new'),
    title: Title.optional().describe(
      'what lists call the run; absent: the title of its specification or plan, else the first line of the requirements',
    ),
  }),
  result: z.union([
    StartNotes.extend({ runId: z.string(), queue: QueuePlace.optional().describe('absent: it has begun') }),
    DryRun,
  ]),
  answeredBy: { hostOf: 'host', elsewhere: 'ask' },
  changes: { unless: 'dryRun' },
  caller: 'person',
  errors: [
    'repo_invalid',
    'branch_missing',
    'nothing_to_review',
    'merge_conflict',
    'path_unsafe',
    'requirements_missing',
    'template_not_found',
    'template_invalid',
    'persona_not_found',
    'no_eligible_persona',
    'binding_refused',
    'backend_unavailable',
    'sandbox_unavailable',
    'active_run_exists',
    'state_conflict',
    'ambiguous_id',
    'destructive_command_blocked',
    'secret_access_blocked',
    'usage',
    'not_found',
    'host_unreachable',
    'settings_invalid',
    'template_not_allowed',
    'consents_unusable',
  ],
});

const Remembered = z.object({
  roleId: z.string().describe('role, or one instance of it'),
  backend: Backend,
  runId: z.string().describe('the last run of the repository with this role'),
});

export const runLastBackends = defineRead({
  name: 'run.lastBackends',
  summary:
    "List the backends of a repository's last runs, for the roles that are still open; run.start never applies them",
  params: z.strictObject({
    repo: PathText.describe('directory of the repository'),
    template: DefinitionRef.optional().describe('name (newest version) or name@version; absent: as the settings say'),
    base: GitRef.optional().describe('base branch, whose settings hold'),
    settings: z.boolean().default(true).describe('false: without the settings of the repository'),
    bind: z.record(z.string(), DefinitionRef).default({}).describe('roles with a persona already'),
    backend: z.record(z.string(), Backend).default({}).describe('roles with a backend already'),
    host: z.string().min(1).optional().describe('the host of the directory; absent: the one that is asked'),
  }),
  result: z.object({
    /** Usable now, and different from devflow's own choice. */
    remembered: z.array(Remembered),
    /** Used by the last run, but not usable now. */
    unusable: z.array(Remembered.extend({ reason: z.string() })),
  }),
  answeredBy: { hostOf: 'host', elsewhere: 'ask' },
  errors: ['repo_invalid', 'branch_missing', 'template_not_found', 'settings_invalid'],
});

import { z } from 'zod';
import { Brought } from '../definitions/brought.ts';
import { Binding, BindingOverride } from '../definitions/persona.ts';
import { Template } from '../definitions/template.ts';
import { RunState, StallCause } from '../enums.ts';
import { AutoGates } from '../gates/autoGates.ts';
import { AgentRights } from '../repository/agentSettings.ts';
import { WorktreeSetup } from '../repository/worktreeSetup.ts';
import { Sandbox } from '../sandbox.ts';
import { TITLE_LENGTH } from '../text/titleOf.ts';
import { defineEvent } from './define.ts';

/** Everything that a run needs. Template, inputs, phases and options are frozen here. */
const Created = z.strictObject({
  /** The number of the behaviour. Code that would change old decisions checks it. */
  behaviour: z.union([
    z.literal(1),
    z.literal(2),
    z.literal(3),
    z.literal(4),
    z.literal(5),
    z.literal(6),
    z.literal(7),
  ]),
  templateId: z.string(),
  templateHash: z.string(),
  template: Template,
  repoPath: z.string(),
  /** git's common directory. Absent in older runs: it follows from `repoPath`. */
  repository: z.string().optional(),
  /** Absent: 0. Other numbers are for parallel runs of one repository and base branch. */
  slot: z.number().int().positive().optional(),
  /** The host that has the run's files and agents. Absent: that of the daemon that leads alone. */
  host: z.string().optional(),
  baseBranch: z.string(),
  baseCommit: z.string(),
  /** The newest commit of the change that a person wants reviewed. Absent: the run makes the change itself. */
  reviewHead: z.string().optional(),
  worktreeRoot: z.string(),
  /** Absent in older runs: it follows from `worktreeRoot`. */
  workspaceRoot: z.string().optional(),
  requirementsMd: z.string(),
  /** What the person calls the run. Absent: the agent's title, else the first line of the requirements. */
  title: z.string().min(1).max(TITLE_LENGTH).optional(),
  objective: z.unknown().nullable(),
  extra: z.record(z.string(), z.unknown()).nullable(),
  overrides: z.record(z.string(), BindingOverride),
  phases: z.array(z.strictObject({ id: z.string(), key: z.string(), seq: z.number().int() })),
  /** Phases whose work is already there. Absent: none. */
  skips: z.array(z.strictObject({ phase: z.string(), reason: z.string(), evidence: z.string() })).optional(),
  /** Definitions that came with drafts, frozen like the template. Absent: none. */
  brought: Brought.optional(),
  /** The number of the feature cycle, from the pointer of the repository. Absent: 1. */
  cycle: z.number().int().positive().optional(),
  /** The set-up of the worktrees. Absent: none. */
  setup: WorktreeSetup.optional(),
  /** The sandbox that its agents, and perhaps its commands, run in. Absent: none. */
  sandbox: Sandbox.optional(),
  /** Words of the person before the command line of each agent. Absent: none. */
  wrap: z.array(z.string()).min(1).optional(),
  /** The rights that agents get from the repository's own settings for their programs. Absent: none. */
  agentRights: AgentRights.optional(),
  /** The person's rules for gates of its template. Absent: a person decides all of them. */
  autoGates: AutoGates.min(1).optional(),
  /** It works in the person's checkout. Absent: in a worktree of its own. */
  here: z.literal(true).optional(),
  /** The run that must be applied or completed first. Absent: none. */
  after: z.string().optional(),
  /** The schedule that started it, and for which of its times (ISO 8601 UTC). Absent: a person or a program did. */
  schedule: z.strictObject({ id: z.string(), occurrence: z.string() }).optional(),
  options: z.strictObject({
    /** Milliseconds that an agent may take for an artifact, unless the phase sets a time. */
    artifactTimeoutMs: z.number().int().positive(),
    /** Milliseconds after which an agent is asked again if its turn ended without the artifact. Absent in older runs. */
    idleTimeoutMs: z.number().int().positive().optional(),
    /** Milliseconds that a gate waits before the run pauses; null for no limit. */
    approvalTimeoutMs: z.number().int().positive().nullable(),
    commandTimeoutMs: z.number().int().positive(),
  }),
});
export type RunCreated = z.infer<typeof Created>;
export type Behaviour = RunCreated['behaviour'];
export type RunOptions = RunCreated['options'];

/** The facts that a start records and a person sees. The other fields steer devflow, or have a view of their own. */
export type RunFact = Exclude<
  keyof RunCreated,
  | 'agentRights'
  | 'behaviour'
  | 'brought'
  | 'cycle'
  | 'options'
  | 'phases'
  | 'repository'
  | 'reviewHead'
  | 'setup'
  | 'skips'
  | 'slot'
  | 'templateId'
  | 'workspaceRoot'
>;

/**
 * The block of an agent. `until` (ISO 8601 UTC) is when the stall ends by itself, if known. `goesOn`: the turn has not
 * ended, so the agent continues by itself then.
 */
export const Stall = z.strictObject({
  cause: StallCause,
  detail: z.string(),
  until: z.string().nullable(),
  goesOn: z.literal(true).optional(),
});
export type Stall = z.infer<typeof Stall>;

/** How a branch of the person got the work. `found`: it had it already, so a person or an interrupted apply did it. */
export const AppliedWay = z.enum(['fast_forward', 'merge', 'squash', 'branch', 'found']);

export const Applied = z.strictObject({
  target: z.string().describe('the branch of the person'),
  commit: z.string().describe('its commit with the work'),
  onto: z.string().nullable().describe('its commit before; null for a new branch'),
  head: z.string().describe('the newest commit of the work'),
  way: AppliedWay,
});
export type Applied = z.infer<typeof Applied>;

/** What a second template adds to a run, frozen like its start. */
export const Continued = z.strictObject({
  nth: z.number().int().positive(),
  clientToken: z.string(),
  templateId: z.string(),
  templateHash: z.string(),
  template: Template,
  phases: Created.shape.phases,
  /** Of its roles that the run has not bound yet. */
  bindings: z.array(Binding),
  extra: Created.shape.extra,
  /** Null: the requirements of the run stay. */
  requirementsMd: z.string().nullable(),
});
export type Continued = z.infer<typeof Continued>;

const Caused = { cause: z.string(), approvalRequestId: z.string().optional() };
const once = (type: string) => (facts: { runId: string }) => `${type}:${facts.runId}`;

export const runEvents = [
  defineEvent('run.created', Created, once('run.created')),
  defineEvent(
    'run.started',
    z.strictObject({
      bindings: z.array(Binding),
      inputHash: z.string(),
      branch: z.string(),
      /** The base commit, resolved anew because the run waited for another. Absent: that of its creation. */
      base: z.string().optional(),
    }),
    once('run.started'),
  ),
  defineEvent(
    'run.paused',
    z.strictObject({ ...Caused, pausedFrom: RunState, reason: z.string() }),
    ({ runId, payload }) => `run.paused:${runId}:${payload.cause}`,
  ),
  defineEvent(
    'run.resumed',
    z.strictObject({ ...Caused, to: RunState, reason: z.string().optional() }),
    ({ runId, payload }) => `run.resumed:${runId}:${payload.cause}`,
  ),
  defineEvent(
    'run.stalled',
    z.strictObject({
      sessionId: z.string(),
      /** Counts the reports of this session. */
      nth: z.number().int().positive(),
      /** Null: the agent continues. */
      stall: Stall.nullable(),
    }),
    ({ payload }) => `run.stalled:${payload.sessionId}:${payload.nth}`,
  ),
  defineEvent('run.completed', z.strictObject({}), once('run.completed')),
  defineEvent(
    'run.failed',
    z.strictObject({ code: z.string(), class: z.string(), reason: z.string(), hint: z.string().optional() }),
    once('run.failed'),
  ),
  defineEvent('run.aborted', z.strictObject({ reason: z.string() }), once('run.aborted')),
  /** The files of the run's contract, as they are at its end, are in its branch. It comes after the end. */
  defineEvent(
    'run.delivered',
    z.strictObject({
      /** devflow's commit; null if nothing differed, or the files could not be committed. */
      commit: z.string().nullable(),
      /** The branch's commit before. Null: the files could not be committed, as `reason` says. */
      onto: z.string().nullable(),
      /** Files that the repository's ignore rules keep out of the branch. Absent: none. */
      ignored: z.array(z.string()).optional(),
      /** Why the branch does not have the files, or some of them. */
      reason: z.string().optional(),
    }),
    once('run.delivered'),
  ),
  /** A person moved the run among those that wait for their beginning. */
  defineEvent(
    'run.ranked',
    z.strictObject({
      nth: z.number().int().positive(),
      /** Its place: ranks compare as texts. */
      rank: z.string().min(1),
      /** It waits for no other run any more. */
      release: z.literal(true).optional(),
    }),
    ({ runId, payload }) => `run.ranked:${runId}:${payload.nth}`,
  ),
  /** A person lets another template follow: its phases come after those of the run. */
  defineEvent('run.continued', Continued, ({ runId, payload }) => `run.continued:${runId}:${payload.nth}`),
  /** A run without requirements got a title: from the first text that its agent got, or the agent's own. */
  defineEvent(
    'run.titled',
    z.strictObject({ title: z.string().min(1).max(TITLE_LENGTH), from: z.enum(['message', 'agent']) }),
    once('run.titled'),
  ),
  /** A branch of the person has the work. It comes after the end. */
  defineEvent(
    'run.applied',
    Applied,
    ({ runId, payload }) => `run.applied:${runId}:${payload.target}:${payload.commit}`,
  ),
] as const;

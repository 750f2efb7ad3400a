/** Words of the command line and the dashboard. Without zod, because a command that loads it starts late. */

/** The agent programs that devflow drives, in the order of lists. */
export const AGENT_PROGRAMS = ['codex', 'claude', 'gemini', 'opencode'] as const;
export type AgentProgram = (typeof AGENT_PROGRAMS)[number];
/** `agents`: the programs of agents run in a sandbox. `all`: the run's commands, too. */
export const SANDBOX_LEVELS = ['agents', 'all'] as const;
/** A level, or none. */
export const SANDBOX_WORDS = ['off', ...SANDBOX_LEVELS] as const;
export type SandboxWord = (typeof SANDBOX_WORDS)[number];

/** All that can play a role: the agent programs, and `fake`, which has no program and serves rehearsals and tests. */
export const BACKENDS = [...AGENT_PROGRAMS, 'fake'] as const;

/** The name of a repository's own settings file, in its root. */
export const SETTINGS_FILE = 'devflow.yaml';

/** devflow's only directory in a worktree, which it never commits. The rest of `.devflow/` may belong to another tool. */
export const ARTIFACTS = '.devflow/artifacts';

export const RUN_STATES = [
  'created',
  'bound',
  'planning',
  'awaiting_approval',
  'executing',
  'paused',
  'completed',
  'failed',
  'aborted',
] as const;

export const LANE_STATES = ['open', 'queued', 'landed', 'abandoned', 'closed'] as const;

export const APPROVAL_STATES = ['pending', 'approved', 'rejected', 'changes_requested', 'aborted', 'paused'] as const;

export const GATE_KINDS = ['gate', 'recovery', 'cleanup', 'agent', 'turn'] as const;

export const SESSION_STATES = [
  'CREATED',
  'BOOTSTRAPPING',
  'READY',
  'BUSY',
  'WAITING_FOR_APPROVAL',
  'ARTIFACT_TIMEOUT',
  'HUNG',
  'CRASHED',
  'RESUMING',
  'REBOOTSTRAPPED',
  'FAILED_NEEDS_HUMAN',
] as const;
/** As people see them. The session of an ended run or lane is shown as ended, whatever its last state was. */
export const SHOWN_SESSION_STATES = [...SESSION_STATES, 'ENDED'] as const;

export const MESSAGE_STATES = ['queued', 'sent', 'withdrawn', 'uncertain', 'dropped'] as const;

/** The screens of the dashboard. Some show one run, approval or session. */
export const SCREENS = [
  'runs',
  'run',
  'approvals',
  'approval',
  'sessions',
  'session',
  'templates',
  'personas',
  'new',
  'contracts',
  'doctor',
  'help',
  'lab',
  'loop',
  'repository',
] as const;

export const SCHEMA_ID = /^[a-z0-9-]+\/[a-z0-9-]+@[1-9]\d*$/;

/** The number of newest rows that a list shows by default. It always shows open ones. */
export const LIST_LIMIT = 100;

/** Severities of a review's findings, from harmless to severe. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;

/** Names of files, branches or keys. They never need quoting. */
export const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** The subjects of example templates. */
export const EXAMPLE_KINDS = ['quick', 'plan', 'lanes', 'review', 'loop'] as const;

type RunState = (typeof RUN_STATES)[number];
type LaneState = (typeof LANE_STATES)[number];

/** Not in `enums.ts`, because that loads zod, and the dashboard starts without it. */
export const TERMINAL_RUN_STATES = ['completed', 'failed', 'aborted'] as const satisfies readonly RunState[];

/** True if the run has ended. */
export function isTerminal(state: RunState): boolean {
  return (TERMINAL_RUN_STATES as readonly RunState[]).includes(state);
}

export const TERMINAL_LANE_STATES = ['landed', 'abandoned', 'closed'] as const satisfies readonly LaneState[];

/** True if the lane has ended: nobody works in it any more. */
export function isLaneEnded(state: LaneState): boolean {
  return (TERMINAL_LANE_STATES as readonly LaneState[]).includes(state);
}

/** The parts of a repository's settings that a person allows or forbids one by one. */
export const CONSENT_PARTS = ['worktree', 'verify', 'agents', 'sandbox', 'wrap', 'template'] as const;

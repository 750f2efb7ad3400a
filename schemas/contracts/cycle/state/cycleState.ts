/** The agents of a cycle: requirements analyst, exploration planner, code developer, validation archivist. */
export const AGENTS = ['ra', 'ep', 'cd', 'vas'] as const;
export type AgentName = (typeof AGENTS)[number];

export const CYCLE_STATUSES = ['created', 'running', 'paused', 'completed', 'failed'] as const;
export const AGENT_STATUSES = ['idle', 'running', 'waiting', 'completed', 'failed'] as const;
export const PHASES = ['init', ...AGENTS, 'aggregation', 'complete'] as const;
export const EFFORTS = ['small', 'medium', 'large'] as const;
export const TASK_STATUSES = ['pending', 'in_progress', 'completed', 'blocked'] as const;
export const CHANGE_ACTIONS = ['create', 'modify', 'delete'] as const;
export const FEEDBACK_TYPES = ['requirement_update', 'bug_report', 'issue_fix', 'clarification'] as const;
export const DECISION_STATUSES = ['pending', 'made', 'implemented'] as const;
export const BLOCKER_STATUSES = ['open', 'resolved', 'workaround'] as const;

/** A title is the beginning of the task. */
export const TITLE_CHARACTERS = 100;
export const MAX_ITERATIONS = 5;

/** A valid state. It may have further keys, which every change keeps. */
export type CycleState = {
  cycle_id: string;
  title: string;
  description: string;
  task_history: string[];
  status: (typeof CYCLE_STATUSES)[number];
  created_at: string;
  updated_at: string;
  completed_at?: string;
  max_iterations: number;
  current_iteration: number;
  failure_reason?: string;
  agents: Record<AgentName, AgentState>;
  current_phase: Phase;
  completed_phases: Phase[];
  phase_errors: { phase: Phase; error: string; timestamp: string }[];
  requirements?: Requirements | null;
  exploration?: Exploration | null;
  plan?: CyclePlan | null;
  changes?: Changes | null;
  test_results?: TestResults | null;
  iterations: IterationRecord[];
  coordination: Coordination;
};
export type Phase = (typeof PHASES)[number];

export type AgentState = {
  status: (typeof AGENT_STATUSES)[number];
  started_at?: string;
  completed_at?: string;
  output_files: string[];
  last_message?: string;
  error?: string;
  iterations_completed: number;
};

export type Requirements = { version: string; specification: string; edge_cases: string[]; last_updated: string };

export type Exploration = {
  version: string;
  architecture_summary: string;
  integration_points: string[];
  identified_risks: string[];
  last_updated: string;
};

export type CyclePlan = {
  version: string;
  tasks: PlanTask[];
  total_estimated_effort: string;
  critical_path: string[];
  last_updated: string;
};

export type PlanTask = {
  id: string;
  description: string;
  effort: (typeof EFFORTS)[number];
  depends_on: string[];
  status: (typeof TASK_STATUSES)[number];
  assigned_to?: string;
  files: string[];
};

export type Changes = {
  /** The number of different files that the changes name. */
  total_files: number;
  changes: Change[];
  /** When the first change of an iteration was recorded, by its number. */
  iteration_markers: Record<string, string>;
};

export type Change = {
  timestamp: string;
  file: string;
  action: (typeof CHANGE_ACTIONS)[number];
  iteration: number;
  agent: string;
  description: string;
};

export type TestResults = {
  version: string;
  pass_rate: number;
  coverage: number;
  failed_tests: string[];
  total_tests: number;
  last_run: string;
};

/** Only the last record may be open: then it has no completed_at, issues_found and resolved. */
export type IterationRecord = {
  number: number;
  /** The user's request in addition. */
  extension?: string;
  started_at: string;
  completed_at?: string;
  agent_results: Record<string, { status: string; files_modified: number }>;
  issues_found?: string[];
  resolved?: boolean;
};

export type Coordination = {
  feedback_log: Feedback[];
  pending_decisions: Decision[];
  blockers: Blocker[];
};

export type Feedback = {
  timestamp: string;
  source: string;
  target: string;
  content: string;
  type: (typeof FEEDBACK_TYPES)[number];
};

export type Decision = {
  id: string;
  description: string;
  options: string[];
  made_by?: string;
  chosen_option?: string;
  status: (typeof DECISION_STATUSES)[number];
};

export type Blocker = {
  id: string;
  description: string;
  reported_by: string;
  status: (typeof BLOCKER_STATUSES)[number];
  resolution?: string;
};

/** The record of the iteration in progress; undefined between iterations. */
export function openIteration({ iterations }: Pick<CycleState, 'iterations'>): IterationRecord | undefined {
  const last = iterations.at(-1);
  return last && (last.completed_at === undefined || last.completed_at === null) ? last : undefined;
}

/** The number of different files that changes name. */
export function countFiles(changes: readonly Pick<Change, 'file'>[]): number {
  return new Set(changes.map((change) => change?.file)).size;
}

interface ControlSignal {
  continue: boolean;
  action: 'continue' | 'pause' | 'stop' | 'unknown';
}

/** An agent's next move, by the status of its cycle. An unknown status is no permission to continue. */
export function controlSignal({ status }: { readonly status?: unknown }): ControlSignal {
  switch (status) {
    case 'running':
      return { continue: true, action: 'continue' };
    case 'paused':
      return { continue: false, action: 'pause' };
    case 'failed':
      return { continue: false, action: 'stop' };
    default:
      return { continue: false, action: 'unknown' };
  }
}

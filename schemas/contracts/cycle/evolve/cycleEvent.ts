import type { AgentName, Blocker, Decision, Feedback, PlanTask } from '../state/cycleState.ts';

interface Written {
  /** The agent who writes. */
  agent?: AgentName;
}

interface AgentNews {
  agent: AgentName;
  message?: string;
  output_files?: string[];
  files_modified?: number;
  error?: string;
}

/** The events of a cycle. The list is closed. */
export type CycleEvent = { [T in keyof Payloads]: { type: T } & Payloads[T] }[keyof Payloads];
export type CycleEventType = keyof Payloads;

export interface Payloads {
  'iteration.started': Written;
  'iteration.completed': Written & { issues_found?: string[]; resolved?: boolean };
  'agent.started': AgentNews;
  'agent.waiting': AgentNews;
  'agent.completed': AgentNews;
  'agent.failed': AgentNews;
  'requirements.updated': Written & { specification: string; edge_cases?: string[] };
  'exploration.updated': Written & {
    architecture_summary: string;
    integration_points?: string[];
    identified_risks?: string[];
  };
  'plan.updated': Written & { tasks: GivenTask[]; total_estimated_effort: string; critical_path?: string[] };
  'changes.appended': Written & { changes: GivenChange[] };
  'tests.recorded': Written & { pass_rate: number; coverage: number; failed_tests?: string[]; total_tests: number };
  'feedback.logged': Written & { source: string; target: string; content: string; feedback: Feedback['type'] };
  'decision.opened': Written & Pick<Decision, 'id' | 'description' | 'options'>;
  'decision.made': Written & { id: string; option: string; by: string };
  'blocker.opened': Written & { id: string; description: string; by: string };
  'blocker.resolved': Written & { id: string; resolution: NonNullable<Blocker['resolution']>; workaround?: boolean };
}

/** Absent fields have defaults. The contract checks the task then. */
export type GivenTask = Partial<PlanTask>;

export interface GivenChange {
  file: string;
  action: string;
  description?: string;
  timestamp?: string;
}

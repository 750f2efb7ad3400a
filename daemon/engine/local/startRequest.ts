import type { BindingOverride } from '../../../schemas/definitions/persona.ts';
import type { AutoGate } from '../../../schemas/gates/autoGates.ts';
import type { AgentRights } from '../../../schemas/repository/agentSettings.ts';
import type { WorktreeSetup } from '../../../schemas/repository/worktreeSetup.ts';
import type { ChangeRequest } from '../../../schemas/rpc/views/start.ts';
import type { SandboxWish } from '../../../schemas/sandbox.ts';
import type { Drafts } from './drafts.ts';

export interface StartRequest extends Drafts {
  repo: string;
  /** `name` or `name@version`. Absent: as the settings of the repository say. */
  template?: string;
  requirements: string;
  /** What the person calls the run. */
  title?: string;
  base?: string;
  /** Work in the checkout of the person. */
  here?: boolean;
  /** The change to review, for a template that only reviews. */
  change?: ChangeRequest;
  objective?: unknown;
  extra?: Record<string, unknown>;
  overrides: Record<string, BindingOverride>;
  /** The run that must be completed or applied first. */
  after?: string;
  /** Allow other open runs of the same repository and base branch. */
  parallel?: boolean;
  /** The set-up of its worktrees, with the commands that a person allowed. */
  setup?: WorktreeSetup;
  /** The sandbox of its agents, and perhaps of its commands; null: a person wants none. */
  sandbox?: SandboxWish | null;
  /** Words before the command line of each agent. */
  wrap?: string[];
  /** The rights of its agents from the repository's own settings, which a person allowed. */
  agentRights?: AgentRights;
  /** The person's rules for gates of its template. */
  autoGates?: AutoGate[];
  /** The schedule that starts it, and for which of its times. */
  schedule?: { id: string; occurrence: string };
  /** False: without the settings of the repository. */
  settings?: boolean;
  /** Allow what the settings run, in this run alone. */
  allowSetup?: boolean;
  /** A repeated token gives the same run. */
  clientToken?: string;
}

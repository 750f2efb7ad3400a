import {
  type CatalogueEntry,
  CONTRACT_ERRORS,
  DECISION_ERRORS,
  type ErrorClass,
  SETTINGS_ERRORS,
} from './errorCatalogue.ts';

export type { ErrorClass } from './errorCatalogue.ts';

/**
 * Every error that devflow can show, by its stable code: add an entry for a new kind. `docs/errors.md` is generated from it.
 */
export const CATALOGUE = {
  // Recoverable: devflow retries. If that does not help, it asks a person.
  network_blip: { class: 'recoverable', exit: 1, hint: 'devflow retries automatically.' },
  pane_briefly_unresponsive: { class: 'recoverable', exit: 1, hint: 'devflow retries automatically.' },
  prompt_send_transient: {
    class: 'recoverable',
    exit: 1,
    hint: 'devflow recovers the agent and sends the prompt again.',
  },
  run_moved: {
    class: 'recoverable',
    exit: 5,
    hint: 'Another daemon wrote to the run first. devflow reads the run again and retries.',
  },
  db_serialization_retry: { class: 'recoverable', exit: 1, hint: 'devflow retries automatically.' },
  // A person is needed: the run waits for approval.
  artifact_invalid_after_repair: {
    class: 'human_required',
    exit: 1,
    hint: 'Read the validation errors, then approve to try again, or reject.',
  },
  artifact_timeout_exhausted: {
    class: 'human_required',
    exit: 1,
    hint: 'Look at the session, then approve to try again, or reject.',
  },
  turn_without_artifact: {
    class: 'human_required',
    exit: 1,
    hint: 'Look at the agent (devflow attach). Approve to remind it once more, or request changes to send it a message.',
  },
  session_exhausted: {
    class: 'human_required',
    exit: 1,
    hint: 'Look at the session, then approve to restart the agent, or reject.',
  },
  command_failed: {
    class: 'human_required',
    exit: 1,
    hint: 'Read the output, then approve to run it again, or reject.',
  },
  step_failed: {
    class: 'human_required',
    exit: 1,
    hint: 'Approve to do it again, or request changes and say what the author must change.',
  },
  destructive_command_blocked: {
    class: 'human_required',
    exit: 1,
    hint: 'devflow never runs such a command. If you mean it, run it yourself.',
  },
  secret_access_blocked: {
    class: 'human_required',
    exit: 1,
    hint: 'devflow never reads secrets. Remove the path from the command.',
  },
  backend_unavailable: {
    class: 'human_required',
    exit: 1,
    hint: 'Install or enable an agent; devflow doctor says how. To try devflow without one, run devflow demo or give --backend <role>=fake for each role.',
  },
  sandbox_unavailable: { class: 'human_required', exit: 1, hint: 'devflow doctor says what the sandbox lacks.' },
  host_unreachable: {
    class: 'human_required',
    exit: 1,
    hint: 'Start devflow on that host (devflow up). See devflow host list.',
  },
  backend_login_required: {
    class: 'human_required',
    exit: 1,
    hint: 'Log in to the agent in its pane (devflow attach), then approve to try again.',
  },
  delivery_uncertain: {
    class: 'human_required',
    exit: 1,
    hint: 'Look at the agent in its pane (devflow attach). Then say that it took the prompt, or send the prompt again.',
  },
  backend_failing: {
    class: 'human_required',
    exit: 1,
    hint: 'Look at the agent in its pane (devflow attach), then approve to try again, or reject.',
  },
  no_eligible_persona: {
    class: 'human_required',
    exit: 1,
    hint: 'Add a persona that fits the role (see devflow persona list), or choose one with --bind.',
  },
  writeset_conflict: { class: 'human_required', exit: 1, hint: 'Approve an order for the tasks.' },
  merge_conflict: { class: 'human_required', exit: 1, hint: 'Resolve the conflict in the worktree.' },
  objective_not_met: { class: 'human_required', exit: 1, hint: 'Change the objective or the requirements.' },
  review_dispute_unresolved: {
    class: 'human_required',
    exit: 1,
    hint: 'Fix the disputed lines, or refute the findings, and start a new run.',
  },
  wait_timeout: {
    class: 'human_required',
    exit: 6,
    hint: 'The run goes on. See what it waits for with devflow run show <run>, or end it with devflow run abort <run>.',
  },
  gate_rejected: { class: 'human_required', exit: 1, hint: 'Start a new run with other requirements.' },
  worktree_dirty: {
    class: 'human_required',
    exit: 1,
    hint: 'Commit or move the changes, or use --force and approve the gate.',
  },
  agent_rights_changed: { class: 'human_required', exit: 1, hint: 'Start a new run, which asks you again.' },
  path_unsafe: {
    class: 'human_required',
    exit: 1,
    hint: 'Replace the path in the message with a real directory or file, then approve to try again.',
  },
  setup_failed: { class: 'human_required', exit: 1, hint: 'Read its output, then approve to set it up again.' },
  disk_full: { class: 'human_required', exit: 1, hint: 'Free some space. Nothing is lost: devflow writes again.' },
  workspace_permissions: {
    class: 'human_required',
    exit: 1,
    hint: 'Make the directory writable for this user, then try again.',
  },
  file_system_failed: {
    class: 'human_required',
    exit: 1,
    hint: 'Fix the file or directory that the message names, then try again.',
  },
  no_free_port: {
    class: 'human_required',
    exit: 1,
    hint: 'End servers that are no longer needed, or clean up ended runs, then approve to try again.',
  },
  // Fatal: the run, the command or the daemon ends.
  db_unreachable: { class: 'fatal', exit: 1, hint: 'Run devflow doctor. Nothing that devflow confirmed is lost.' },
  db_damaged: {
    class: 'fatal',
    exit: 1,
    hint:
      'Run devflow down. Then restore the database from a backup, or move its directory away to start empty: ' +
      'worktrees and branches stay. devflow doctor names the directory.',
  },
  internal_state_corruption: {
    class: 'fatal',
    exit: 2,
    hint: 'This is a defect of devflow: please report it with the output of devflow run verify.',
  },
  template_load_failed: {
    class: 'fatal',
    exit: 1,
    hint: 'Published files never change. Save yours as a new version with a new file name.',
  },
  migration_pending: { class: 'fatal', exit: 1, hint: 'Run devflow up.' },
  config_invalid: { class: 'fatal', exit: 2, hint: 'Fix the setting that the message names.' },
  temporal_packages_missing: {
    class: 'fatal',
    exit: 1,
    hint: 'Install the packages that docs/scale.md names, or set engine: local.',
  },
  temporal_unreachable: {
    class: 'fatal',
    exit: 1,
    hint: 'Start the server, or fix temporal.address and temporal.namespace; docs/scale.md says how.',
  },
  daemon_running: { class: 'fatal', exit: 3, hint: 'Use the running daemon, or stop it with devflow down.' },
  daemon_not_running: { class: 'fatal', exit: 1, hint: 'Start it with devflow up.' },
  daemon_unresponsive: { class: 'fatal', exit: 1, hint: 'End it with kill -KILL, then run devflow up.' },
  daemon_start_failed: { class: 'fatal', exit: 1, hint: 'Read the daemon log that the message names.' },
  version_mismatch: { class: 'fatal', exit: 1, hint: 'Restart the daemon with devflow up. Runs and agents continue.' },
  host_taken: {
    class: 'fatal',
    exit: 2,
    hint:
      'If this is that host and lost its state directory, take it over: devflow up --take-host. ' +
      'Otherwise give this machine an id of its own (temporal.host).',
  },
  fenced: { class: 'fatal', exit: 3, hint: 'Another daemon took over, so this one stopped. Use the other one.' },
  // The request cannot be carried out.
  usage: { class: 'fatal', exit: 2, hint: 'See devflow --help.' },
  internal: { class: 'fatal', exit: 2, hint: 'This is a defect of devflow: please report it.' },
  not_found: { class: 'fatal', exit: 4, hint: 'List what exists: devflow run list, session list or approval list.' },
  ambiguous_id: { class: 'fatal', exit: 2, hint: 'Give more characters of the id.' },
  repo_invalid: {
    class: 'fatal',
    exit: 1,
    hint: 'Give the directory of a git repository with a checkout: --repo <dir>.',
  },
  branch_missing: { class: 'fatal', exit: 1, hint: 'Give a branch that exists: --base <branch>.' },
  nothing_to_review: {
    class: 'fatal',
    exit: 4,
    hint: 'Change something first, or name another base with --base <ref>.',
  },
  requirements_missing: { class: 'fatal', exit: 1, hint: 'Give a readable, non-empty file, or - for standard input.' },
  template_not_found: { class: 'fatal', exit: 4, hint: 'See devflow template list.' },
  template_invalid: { class: 'fatal', exit: 1, hint: 'Run devflow template lint on it.' },
  file_exists: { class: 'fatal', exit: 5, hint: 'Choose another name, or another place: --out <file>.' },
  persona_not_found: { class: 'fatal', exit: 4, hint: 'See devflow persona list.' },
  artifact_schema_unknown: { class: 'fatal', exit: 4, hint: 'Name a schema as <domain>/<name>@<version>.' },
  binding_refused: { class: 'human_required', exit: 1, hint: 'Change the override, or choose another persona.' },
  active_run_exists: {
    class: 'fatal',
    exit: 5,
    hint: 'Wait for it, abort it, or start a second one in its own worktree and branch with --parallel.',
  },
  run_elsewhere: { class: 'fatal', exit: 5, hint: 'Do it on the host of the run. See devflow host list.' },
  state_conflict: { class: 'fatal', exit: 5, hint: 'Look at the run: devflow run show.' },
  ...DECISION_ERRORS,
  branch_moved: {
    class: 'human_required',
    exit: 5,
    hint: 'Look at the commits. Apply them, too, with --head <commit>, or leave them out with --at <commit>.',
  },
  checkout_unready: {
    class: 'human_required',
    exit: 5,
    hint: 'Do what the message says, then run devflow run apply again.',
  },
  apply_conflict: {
    class: 'human_required',
    exit: 5,
    hint: 'Merge by hand: devflow run apply --print shows the commands.',
  },
  branch_exists: { class: 'fatal', exit: 5, hint: 'Choose another name: --branch <name>.' },
  gate_pending: { class: 'fatal', exit: 5, hint: 'Decide the gate that the message names.' },
  git_failed: {
    class: 'human_required',
    exit: 1,
    hint: 'Read what git said, fix the cause, then approve to try again.',
  },
  frame_too_large: { class: 'fatal', exit: 2, hint: 'Send less than the limit in one message.' },
  too_many_connections: { class: 'recoverable', exit: 1, hint: 'Close unused clients, then try again.' },
  agent_may_not_decide: {
    class: 'fatal',
    exit: 1,
    hint: "Decide in the dashboard, or with devflow in a terminal outside the agents' panes.",
  },
  ...CONTRACT_ERRORS,
  ...SETTINGS_ERRORS,
  shutting_down: { class: 'recoverable', exit: 1, hint: 'Start the daemon again with devflow up, then retry.' },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof CATALOGUE;

export interface ErrorFacts {
  runId?: string;
  phaseId?: string;
  /** The person's next step, if better than the hint of the catalogue. */
  recoveryHint?: string;
  cause?: unknown;
  /** Machine-readable facts for `data` on the wire (e.g. `{currentRunId, currentState}`). */
  data?: Record<string, unknown>;
}

/** An error of devflow: a sentence for a person, a stable code, a class and a hint. */
export class DevflowError extends Error {
  override readonly name = 'DevflowError';
  readonly class: ErrorClass;
  readonly code: ErrorCode;
  readonly runId?: string;
  readonly phaseId?: string;
  readonly recoveryHint: string;
  readonly data: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.class = CATALOGUE[code].class;
    this.recoveryHint = facts.recoveryHint ?? CATALOGUE[code].hint;
    this.data = facts.data ?? {};
    if (facts.runId !== undefined) this.runId = facts.runId;
    if (facts.phaseId !== undefined) this.phaseId = facts.phaseId;
  }

  get exitCode(): number {
    return CATALOGUE[this.code].exit;
  }
}

/** An error as data, for events, RPC answers and reports. */
export interface ErrorRecord {
  code: ErrorCode;
  class: ErrorClass;
  message: string;
  hint: string;
}

/** devflow's reaction to an error: it retries, asks a person, or stops. */
export type ErrorClass = 'recoverable' | 'human_required' | 'fatal';

export interface CatalogueEntry {
  class: ErrorClass;
  /** Exit code of a CLI command that fails with it. */
  exit: 1 | 2 | 3 | 4 | 5 | 6;
  /** A person's next step, unless the code that throws gives a better hint. */
  hint: string;
}

/** The errors of a decision at a gate. */
export const DECISION_ERRORS = {
  decision_conflict: { class: 'fatal', exit: 5, hint: 'Look at the approval: devflow approval show.' },
  changes_under_decision: {
    class: 'human_required',
    exit: 5,
    hint: 'Look at the changes (devflow approval show), then decide again.',
  },
  artifact_invalid: {
    class: 'human_required',
    exit: 5,
    hint: 'Nothing was changed. Correct what the faults name, and edit it again.',
  },
  not_editable: {
    class: 'human_required',
    exit: 5,
    hint: 'The message says why. To have the agent write it again, request changes.',
  },
  comments_misplaced: {
    class: 'human_required',
    exit: 5,
    hint: 'Nothing was decided. Correct the lines and quotes of the comments that are named above, and send them again.',
  },
  artifact_changed: {
    class: 'human_required',
    exit: 5,
    hint: 'Restore the file, or request changes to get a new one.',
  },
} as const satisfies Record<string, CatalogueEntry>;

/** The errors of contracts: files that programs and agents hand to each other. */
export const CONTRACT_ERRORS = {
  contract_not_found: { class: 'fatal', exit: 4, hint: 'See what the repository has: devflow contract detect.' },
  contract_invalid: {
    class: 'fatal',
    exit: 1,
    hint: 'Fix the file, then run the command again. With --json, data.errors lists all findings.',
  },
  contract_in_use: {
    class: 'fatal',
    exit: 5,
    hint: "These files belong to an open run. Wait for its end, or decide at the run's gate.",
  },
  contract_drifted: {
    class: 'human_required',
    exit: 5,
    hint: 'Look at the file, and move it away if it is in the place of another. Then approve to try again.',
  },
  iterations_exhausted: {
    class: 'human_required',
    exit: 5,
    hint: 'Approve to accept what is open, or request changes to get one more iteration.',
  },
  state_locked: { class: 'fatal', exit: 5, hint: 'Wait until the process that data.pid names has ended.' },
  state_anchor_immutable: { class: 'fatal', exit: 5, hint: 'A new session begins with devflow state reset --apply.' },
  handover_cleanup_refused: { class: 'fatal', exit: 5, hint: 'Complete the session first, with a valid state.' },
  autodev_transition: { class: 'fatal', exit: 5, hint: 'Look at the pointer: devflow autodev show.' },
  autodev_substep_not_monotonic: {
    class: 'fatal',
    exit: 5,
    hint: 'Record the same phase under its name, the next one, or phase 0 under another name.',
  },
  autodev_substep_reserved: { class: 'fatal', exit: 5, hint: 'Use another name: awaiting-invocation is phase 0.' },
  autodev_step_not_optional: { class: 'fatal', exit: 5, hint: 'See which steps are: devflow autodev flows.' },
  autodev_needs_user: {
    class: 'human_required',
    exit: 5,
    hint: 'Decide what to do about the failures, then record started --decided.',
  },
  autodev_done: { class: 'fatal', exit: 5, hint: 'The flow has no further step.' },
  cycle_exists: { class: 'fatal', exit: 5, hint: 'Choose another id, or leave --id out.' },
  cycle_transition: { class: 'fatal', exit: 5, hint: 'Look at the cycle: devflow cycle show.' },
  cycle_not_running: { class: 'fatal', exit: 5, hint: 'Resume the cycle first: devflow cycle resume.' },
  cycle_not_owner: { class: 'fatal', exit: 5, hint: 'Let the agent write that owns this part of the state.' },
  cycle_iteration_open: { class: 'fatal', exit: 5, hint: 'Complete the iteration first.' },
  cycle_agents_open: { class: 'fatal', exit: 5, hint: 'Complete all four agents first.' },
  cycle_max_iterations: { class: 'fatal', exit: 5, hint: 'Raise the limit: devflow cycle extend --max-iterations.' },
  cycle_unknown_item: { class: 'fatal', exit: 5, hint: 'Look at the cycle: devflow cycle show.' },
  cycle_invalid_option: { class: 'fatal', exit: 5, hint: 'Choose one of the options of the decision.' },
  cycle_state_intact: { class: 'fatal', exit: 5, hint: 'The state can be read. Use --force to replace it.' },
} as const satisfies Record<string, CatalogueEntry>;

/** Errors of a repository's settings, and of what a person allowed. */
export const SETTINGS_ERRORS = {
  wrap_undecided: {
    class: 'human_required',
    exit: 1,
    hint: 'Allow it with devflow repository allow. To start without it, run devflow repository forbid --only wrap.',
  },
  settings_invalid: {
    class: 'fatal',
    exit: 2,
    hint: 'Fix the lines that the message names, then run devflow repository check.',
  },
  settings_changed: {
    class: 'fatal',
    exit: 5,
    hint: 'Look at what would run now (devflow repository show), then allow it again.',
  },
  template_not_allowed: {
    class: 'fatal',
    exit: 5,
    hint: 'Allow it with devflow repository allow, or choose a template yourself with --template.',
  },
  consents_unusable: {
    class: 'fatal',
    exit: 1,
    hint: 'Remove the file that the message names, then allow again with devflow repository allow.',
  },
} as const satisfies Record<string, CatalogueEntry>;

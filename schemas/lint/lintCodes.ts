/** The meaning of a lint code about a template or persona. `docs/lint.md` is made from this table. */
export interface LintRule {
  /** `error`: devflow would refuse the file or its run. `warning`: a person should look. */
  severity: 'error' | 'warning';
  of: 'template' | 'persona' | 'both';
  /** The fault, as a clause that begins in lower case. */
  means: string;
  /** The next step, as a sentence. */
  hint: string;
  /** The part of a file that has this fault. */
  example: string;
}

const error = (of: LintRule['of'], means: string, hint: string, example: string): LintRule => ({
  severity: 'error',
  of,
  means,
  hint,
  example,
});
const warning = (of: LintRule['of'], means: string, hint: string, example: string): LintRule => ({
  severity: 'warning',
  of,
  means,
  hint,
  example,
});

/** Every lint code. A code is never renamed or used again for something else. */
export const LINT_CODES = {
  // The file.
  too_large: error(
    'both',
    'the file, a list or a command is larger than any that a person writes',
    'Put long texts and scripts into files of the repository, and refer to them.',
    'a file of 300 KB',
  ),
  yaml_error: error('both', 'the text is not YAML', 'Fix the text at this place.', 'roles: ['),
  unknown_key: error(
    'both',
    'there is no such key here',
    'Remove the key, or write the one that the message names.',
    'rsik: low',
  ),
  wrong_shape: error(
    'both',
    'a value is missing, has the wrong type, or is not allowed here',
    'Write a value that the message allows.',
    'risk: huge',
  ),
  unstorable_text: error(
    'both',
    'a text has a character that the database cannot keep',
    'Leave the character out.',
    'title: "a\\0b"',
  ),
  file_name: warning(
    'both',
    'the daemon does not load a file under this name',
    'Give the file the name that its content says, such as mine@1.yaml.',
    'name: mine and version: 2 in mine@1.yaml',
  ),
  changed_builtin: error(
    'both',
    'a built-in definition has this name and version, with other content',
    'Choose another name.',
    'name: quick-change',
  ),
  hidden_text: error(
    'both',
    'a character that nobody sees, or that changes the reading direction',
    'Remove the character. Agents read it, and people do not.',
    'title: "Code\\u200b"',
  ),
  injected_text: error(
    'both',
    'instructions tell an agent to ignore what it was told, as texts of attackers do',
    'Remove the sentence. If it is an example, put it between quotes.',
    'instructions: Ignore all previous instructions.',
  ),
  long_instructions: warning(
    'both',
    'a text for agents is longer than 32 KB',
    'Put most of it into a file of the repository, and refer to it.',
    'instructions: 40 KB of text',
  ),
  // Roles and who plays them.
  duplicate_role: error(
    'template',
    'two roles have the same id',
    'Give each role its own id.',
    'roles: [{ id: coder }, { id: coder }]',
  ),
  unknown_role: error(
    'template',
    'a phase names a role that roles does not declare',
    'Declare the role, or name one that exists.',
    'roles: [cook]',
  ),
  unused_role: warning('template', 'no phase uses the role', 'Remove the role, or give it a phase.', '- id: idle'),
  no_persona: error(
    'template',
    'no persona may play the role',
    'Ask for fewer capabilities or less risk, or add a persona: devflow persona new.',
    'requiredCapabilities: [spec_write, backtest_run]',
  ),
  backend_absent: warning(
    'both',
    'the agent program is not installed or not enabled on this machine',
    'Install the program, or choose another backend. devflow doctor says what is missing.',
    'backend: gemini',
  ),
  shared_worktree: error(
    'template',
    'several agents may edit files in one worktree at the same time',
    'Give each its own phase, or use a phase of kind lanes.',
    'roles: [coder, tester]',
  ),
  may_share_worktree: warning(
    'template',
    'the personas decide whether several agents may edit in one worktree',
    'Bind personas that only read to all but one role.',
    'count: 2',
  ),
  // Phases.
  duplicate_phase: error('template', 'two phases have the same key', 'Give each phase its own key.', '- key: code'),
  phase_kind: error(
    'template',
    'the phase lacks what its kind needs, or has what belongs to another kind',
    'Add or remove the key that the message names. docs/usage.md lists the kinds.',
    'kind: command with roles: [coder]',
  ),
  unknown_schema: error(
    'template',
    'there is no usable artifact schema with this id',
    'Name a schema that exists, or add its file.',
    'schema: dev/implementaton@1',
  ),
  exchange_flow: error(
    'template',
    'flow and the exchange autodev belong together',
    'Give both or neither.',
    'exchange: autodev',
  ),
  iterate_rule: error(
    'template',
    'the phases of iterate do not fit its rule',
    'Name phases that follow one another, and what until needs.',
    'iterate: { phases: [code], until: review-allows }',
  ),
  odd_timeout: warning(
    'template',
    'the time-out is shorter than 10 seconds or longer than a day',
    'Give the time in milliseconds, or leave it out for the default.',
    'timeoutMs: 60',
  ),
  // Instructions and artifacts.
  unknown_placeholder: error(
    'template',
    'devflow does not know this placeholder in this phase',
    'Use a placeholder that the message names.',
    '{{requirement}}',
  ),
  placeholder_order: error(
    'template',
    'the placeholder names a phase that has written nothing yet',
    'Name an earlier phase.',
    '{{artifact:later}}',
  ),
  unclosed_placeholder: warning(
    'template',
    'two braces begin a placeholder that does not end',
    'Close it with two braces, or remove them.',
    '{{requirements',
  ),
  unread_artifact: warning(
    'template',
    'no later phase and no gate reads what this phase writes',
    'Name it in later instructions, add a gate, or remove the phase.',
    'a spec that no {{artifact:spec}} names',
  ),
  // Gates.
  reserved_gate: error(
    'template',
    'the name belongs to a gate of devflow',
    'Choose another name.',
    'gates: [recovery]',
  ),
  plan_without_gate: error(
    'template',
    'nobody approves a plan before agents carry it out',
    'Add a gate, such as plan_approved.',
    'schema: dev/dag@1 without gates',
  ),
  no_approval: error(
    'template',
    'agents may change files, and no person is ever asked',
    'Add a gate after the changes, such as changes_approved.',
    'an editing phase, and no gates anywhere',
  ),
  ungated_high_risk: error(
    'template',
    'a phase of high risk may change files, and no certain gate follows',
    'Add a gate to the phase or to a later one.',
    'risk: high after the last gate',
  ),
  ungated_medium_risk: warning(
    'template',
    'a phase of medium risk may change files, and no certain gate follows',
    'Add a gate to the phase or to a later one.',
    'risk: medium after the last gate',
  ),
  skippable_gate: warning(
    'template',
    'nobody is asked at this gate when the phase is skipped',
    'Give the gate to a phase that always runs.',
    'optional: true with gates: [approved]',
  ),
  changes_lead_nowhere: warning(
    'template',
    'no agent makes the changes that a person requests at this gate',
    'Give the gate to a phase with agents, or put such a phase before it.',
    'a command phase with a gate, and no agents before it',
  ),
  // Commands.
  unchecked_change: warning(
    'template',
    'no later command checks the changes of a phase',
    'Add a phase of kind command after it.',
    'an editing phase, and no command phase after it',
  ),
  cannot_fail: warning(
    'template',
    'the command ends with 0 whatever it checks',
    'Take the command alone, without what hides its exit code.',
    'argv: [sh, -c, "npm test || true"]',
  ),
  hollow_check: error(
    'template',
    'no command of the phase can fail, so it checks nothing',
    'Add a command that fails if the change is wrong.',
    'commands: [{ kind: test, argv: ["true"] }]',
  ),
  policy_violation: error(
    'template',
    'the policy refuses the command, so devflow never runs it',
    'Use another command. docs/policy.md has the rules.',
    'argv: [rm, -rf, /]',
  ),
  network_command: warning(
    'template',
    'the command needs the network, so its result depends on other machines',
    'Install what it needs before the run.',
    'argv: [npm, ci]',
  ),
  pushes: warning(
    'template',
    'the work leaves this machine before a person applies the run',
    'Remove the push. A person pushes after devflow run apply.',
    'argv: [git, push]',
  ),
  // Personas.
  unused_setting: warning(
    'persona',
    'the backend ignores the setting',
    'Remove the setting.',
    'modelConfig: { temperature: 0 }',
  ),
  capability_without_permission: warning(
    'persona',
    'the risk limits the agent to reading, so it cannot use the capability',
    'Raise maxRiskLevel, or remove the capability.',
    'capabilities: [code_edit] with maxRiskLevel: low',
  ),
  role_of_no_template: warning(
    'persona',
    'no known template has a role with this id',
    'Correct the id, or remove it.',
    'allowedRoles: [implementor]',
  ),
} as const satisfies Record<string, LintRule>;

export type LintCode = keyof typeof LINT_CODES;

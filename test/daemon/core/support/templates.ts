import { Template } from '../../../../schemas/definitions/template.ts';

/**
 * Templates of all shapes that the engine must handle. They are built here, so that a published file cannot change a
 * test.
 */

const agent = (key: string, role: string, schema: string, gates: string[] = [], instructions = `Do ${key}.`) => ({
  key,
  title: `Title of ${key}`,
  risk: 'low',
  roles: [role],
  expectedArtifact: { path: `${key}.json`, schema },
  gates,
  instructions,
});
const command = (key: string, gates: string[] = [], argvs: string[][] = []) => ({
  key,
  title: `Title of ${key}`,
  kind: 'command',
  risk: 'low',
  gates,
  commands: argvs.map((argv) => ({ kind: 'test', argv })),
});
const evaluate = (key: string) => ({ key, title: `Title of ${key}`, kind: 'evaluate', risk: 'low' });
const role = (id: string, count = 1) => ({ id, requiredCapabilities: ['code_edit'], count });
const template = (name: string, roles: unknown[], phases: unknown[], more: Record<string, unknown> = {}) =>
  Template.parse({ name, version: 1, roles, phases, ...more });

const planner = role('planner');
const implementer = role('implementer');
const spec = agent('spec', 'planner', 'dev/spec@1', ['spec_approved'], 'Specify:\n{{requirements}}');
const plan = agent('plan', 'planner', 'dev/phase-plan@1', ['plan_approved'], 'Plan {{artifact:spec}}.');
const implement = agent('implement', 'implementer', 'dev/implementation@1');

export const TEMPLATES = {
  /** Like `development@1`: two gated phases, one without a gate, a gated command phase. */
  development: template(
    'development',
    [planner, implementer],
    [spec, plan, implement, command('verify', ['changes_approved'])],
  ),
  /** No phase plan, so never `planning`. A gate with commands behind it. */
  withoutPlan: template(
    'without-plan',
    [implementer],
    [implement, command('verify', ['changes_approved'], [['npm', 'test']])],
  ),
  /** The implementer of the second phase must not know the conversation of the first. */
  boundary: template(
    'boundary',
    [implementer],
    [
      agent('draft', 'implementer', 'dev/spec@1'),
      { ...agent('implement', 'implementer', 'dev/implementation@1', ['changes_approved']), sessionBoundary: true },
    ],
  ),
  /** As `direct@1`: a person leads the agent, and decides about the result. */
  direct: template(
    'direct',
    [implementer],
    [
      { key: 'direct', title: 'Work', kind: 'direct', risk: 'low', roles: ['implementer'] },
      command('finish', ['changes_approved']),
    ],
  ),
  /** A plan, its tasks in lanes, and commands that check every merge. */
  lanes: template(
    'lanes',
    [planner, implementer, role('resolver')],
    [
      agent('plan', 'planner', 'dev/dag@1', ['plan_approved']),
      {
        ...agent('build', 'implementer', 'dev/implementation@1', [], 'Do {{task}}.'),
        kind: 'lanes',
        roles: ['implementer', 'resolver'],
        lanes: { max: 2, batch: 2, checks: 'verify' },
      },
      command('verify', ['changes_approved'], [['npm', 'test']]),
    ],
  ),
  /** Two reviewers and a verifier look at the change, and its implementer fixes what they find. */
  review: template(
    'review',
    [implementer, role('reviewer', 2), role('verifier')],
    [
      implement,
      {
        key: 'review',
        title: 'Title of review',
        kind: 'review',
        risk: 'low',
        roles: ['reviewer', 'verifier', 'implementer'],
        instructions: 'Review {{worktree}}. {{review}}',
        review: { rounds: 3, checks: 'verify' },
      },
      command('verify', ['changes_approved'], [['npm', 'test']]),
    ],
  ),
  /** Two phases that begin again together until all tests pass, and a person who accepts the result. */
  cycle: template(
    'cycle',
    [implementer, role('tester')],
    [
      agent(
        'make',
        'implementer',
        'cycle/changes@1',
        [],
        'Make {{iteration}}: {{change_request}} {{findings:test}} {{artifact:test}}',
      ),
      agent('test', 'tester', 'cycle/test-results@1', [], 'Test {{artifact:make}}.'),
      command('accept', ['cycle_accepted']),
    ],
    { exchange: 'cycle', iterate: { phases: ['make', 'test'], max: 2, until: 'cycle-resolved' } },
  ),
  /** All four agents of a cycle. */
  devCycle: template(
    'dev-cycle',
    [planner, implementer],
    [
      agent('ra', 'planner', 'cycle/requirements@1'),
      agent('ep', 'planner', 'cycle/plan@1'),
      agent('cd', 'implementer', 'cycle/changes@1', [], 'Write it. Still open: {{findings:vas}}'),
      agent('vas', 'planner', 'cycle/test-results@1'),
    ],
    { exchange: 'cycle', iterate: { phases: ['ra', 'ep', 'cd', 'vas'], max: 2, until: 'cycle-resolved' } },
  ),
  /** A loop that is judged by measurements. */
  measured: template(
    'measured',
    [implementer],
    [
      evaluate('baseline'),
      agent('make', 'implementer', 'dev/implementation@1', [], 'Make {{iteration}}: {{objective}} {{mining}}'),
      evaluate('backtest'),
      command('accept', ['changes_approved']),
    ],
    { iterate: { phases: ['make', 'backtest'], until: 'objective-met' } },
  ),
  /** A plan in steps, and the phase that carries it out. */
  planned: template(
    'planned',
    [planner, implementer],
    [
      agent('brief', 'planner', 'handover/brief@1'),
      agent('plan', 'planner', 'handover/plan@1', ['plan_approved']),
      agent('execute', 'implementer', 'dev/implementation@1', ['changes_approved']),
    ],
    { exchange: 'handover' },
  ),
  /** Handovers: research that a brief can make needless, and a remediation that a good review makes needless. */
  pipeline: template(
    'pipeline',
    [planner, implementer],
    [
      agent('brief', 'planner', 'handover/brief@1', ['brief_approved'], 'Write a brief for {{project_dir}}.'),
      { ...agent('research', 'planner', 'handover/research@1'), skipWhen: 'no-research-topics' },
      agent('execute', 'implementer', 'dev/implementation@1', [], 'Do {{artifact:remediate}}.'),
      agent('review', 'planner', 'handover/review@1'),
      agent('remediate', 'planner', 'handover/plan@1', [], 'Mend {{findings:review}}'),
      command('verify', ['changes_approved']),
    ],
    { exchange: 'handover', iterate: { phases: ['execute', 'review', 'remediate'], max: 2, until: 'review-allows' } },
  ),
  /** Steps of a flow: the second may be left out, and the third begins in a conversation of its own. */
  autodev: template(
    'autodev',
    [implementer],
    [
      agent('discover', 'implementer', 'dev/implementation@1'),
      { ...agent('review', 'implementer', 'dev/implementation@1'), optional: true },
      { ...agent('status', 'implementer', 'dev/implementation@1'), sessionBoundary: true },
    ],
    { exchange: 'autodev', flow: 'meta-repo' },
  ),
  gateThenCommands: template(
    'gate-then-commands',
    [implementer],
    [
      agent('implement', 'implementer', 'dev/implementation@1', ['changes_approved']),
      command(
        'check',
        [],
        [
          ['make', 'build'],
          ['make', 'check'],
        ],
      ),
    ],
  ),
  twoGates: template(
    'two-gates',
    [planner, implementer],
    [agent('plan', 'planner', 'dev/phase-plan@1', ['plan_approved', 'budget_approved']), implement],
  ),
  twoInstances: template(
    'two-instances',
    [role('writer', 2)],
    [agent('write', 'writer', 'dev/spec@1', ['spec_approved'])],
  ),
  /** Agents side by side whose work two people approve, and another role after them. */
  threeReaders: template(
    'three-readers',
    [role('reader', 3), implementer],
    [agent('read', 'reader', 'dev/spec@1', ['spec_approved', 'budget_approved']), implement],
  ),
  /** The approved phase plan is checked by commands, so that a failure leads back to `planning`. */
  checkedPlan: template(
    'checked-plan',
    [planner, implementer],
    [
      agent('plan', 'planner', 'dev/phase-plan@1', ['plan_approved']),
      command('lint', [], [['npm', 'run', 'lint']]),
      command('check', ['check_approved'], [['make', 'check']]),
      implement,
    ],
  ),
  /** A command phase with two commands between the work and its gate, and another with nothing to do. */
  commands: template(
    'commands',
    [implementer],
    [
      command('prepare'),
      implement,
      command(
        'test',
        [],
        [
          ['npm', 'run', 'build'],
          ['npm', 'test'],
        ],
      ),
      command('verify', ['changes_approved']),
    ],
  ),
  /** Only commands: no phase made the work that a gate is about. */
  onlyCommands: template(
    'only-commands',
    [implementer],
    [command('check', ['checked'], [['make', 'check']]), command('publish', [], [['make', 'publish']])],
  ),
  nothingToDo: template('nothing-to-do', [implementer], [command('prepare')]),
  withoutGate: template('without-gate', [implementer], [implement]),
} as const;
export type TemplateName = keyof typeof TEMPLATES;

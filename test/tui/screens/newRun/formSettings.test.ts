import { describe, expect, it } from 'vitest';
import type { ConsentView } from '../../../../schemas/repository/consent.ts';
import type { RpcParams } from '../../../../schemas/rpc/methods/index.ts';
import type { CallCommand, Command, Model } from '../../../../tui/model/model.ts';
import type { Query } from '../../../../tui/model/query.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { givenModel, press, seen, typing } from '../../given.ts';

const template = (version: number) => ({
  name: 'quick',
  version,
  hash: 'h',
  phases: ['do', 'verify'],
  roles: version === 1 ? ['implementer'] : ['implementer', 'reviewer'],
});

const consent = (part: ConsentView['part'], state: ConsentView['state'], line: string): ConsentView => ({
  part,
  state,
  hash: part.repeat(4),
  lines: [line],
  from: ['guess'],
});
const SETUP = consent('worktree', 'unknown', 'run npm ci (guess: package-lock.json)');
const CHECK = consent('verify', 'unknown', 'check with npm test (guess: package.json:7)');

const SETTINGS = {
  repoPath: '/r',
  baseBranch: 'dev',
  baseCommit: '12345678',
  rows: [
    { key: 'template', value: 'quick', from: 'guess' },
    { key: 'base', value: 'dev', from: 'devflow.yaml', line: 2 },
    { key: 'verify', value: [['npm', 'test']], from: 'guess', why: 'package.json:7' },
    { key: 'backends.implementer', value: 'claude', from: 'devflow.yaml', line: 3 },
    { key: 'sandbox', value: 'agents', from: 'devflow.yaml', line: 4 },
  ],
  consents: [SETUP, CHECK],
  setup: null,
};

const PLAN = {
  uncommitted: { count: 0, files: [] },
  submodules: [],
  warnings: [],
  dryRun: true,
  template: 'quick@2',
  baseBranch: 'dev',
  baseCommit: '12345678',
  bindings: [
    { roleId: 'implementer', role: 'implementer', persona: 'i@1', backend: 'claude', reason: 'It is wanted.' },
    { roleId: 'reviewer', role: 'reviewer', persona: 'r@1', backend: 'codex', reason: 'It is the only one.' },
  ],
  phases: [],
};

const queryOf = (model: Model, method: string): Query | undefined =>
  screenOf(model)
    .queries(model)
    .find((each) => each.method === method);

function answered(model: Model, answers: Record<string, unknown>): Model {
  let later = model;
  for (const [method, value] of Object.entries(answers)) {
    const asked = queryOf(later, method);
    if (asked) later = { ...later, data: new Map(later.data).set(asked.key, { value }) };
  }
  return later;
}

/** A form with requirements, after the daemon answered. */
function filled(settings: object = SETTINGS): Model {
  const first = answered(givenModel({ screen: 'new' }, { columns: 100, rows: 40 }), {
    'template.list': [template(1), template(2)],
    'persona.list': [],
    'repository.show': settings,
  });
  const typed = press(first, 'j', 'j', 'j', 'enter', ...typing('Make it so'), 'enter').model;
  return answered(typed, { 'run.lastBackends': { remembered: [], unusable: [] }, 'run.start': PLAN });
}

const asked = (model: Model) => queryOf(model, 'run.start')?.params as RpcParams<'run.start'>;
const callOf = (commands: readonly Command[], method: string) =>
  commands.find((each) => each.type === 'call' && each.method === method) as CallCommand<'repository.allow'>;
const startOf = (commands: readonly Command[]) => commands.find(({ type }) => type === 'start');

describe('a form for a repository with settings', () => {
  it('needs only the requirements, and shows which file says the rest', () => {
    const model = filled();
    expect(asked(model)).not.toHaveProperty('template');
    expect(asked(model)).not.toHaveProperty('base');
    expect(asked(model)).not.toHaveProperty('sandbox');
    const text = seen(model);
    expect(text).toMatch(/Base branch +dev {2}devflow\.yaml:2/);
    expect(text).toMatch(/Template +quick {2}guess/);
    expect(text).toMatch(/Checks +npm test {2}guess: package\.json:7/);
    expect(text).toMatch(/Roles +implementer +i@1 \(claude\) {2}devflow\.yaml:3/);
    expect(text).toMatch(/reviewer +r@1 \(codex\) {2}It is the only one\./);
    expect(text).toMatch(/Set-up +\? not allowed yet {2}run npm ci \(guess: package-lock\.json\) and 1 more line/);
    expect(text).toMatch(/Sandbox +agents {2}devflow\.yaml:4/);
    expect(text).toMatch(/Ctrl-S asks, then starts[\s\S]*\? run npm ci[\s\S]*\? check with npm test/);
  });

  it('asks before it starts, and starts only after yes, no or never', () => {
    const { model, commands } = press(filled(), 'C-s');
    expect(startOf(commands)).toBeUndefined();
    expect(model.overlay).toMatchObject({ kind: 'confirm' });
    expect(seen(model)).toMatch(/run npm ci[\s\S]*y allow +n start without +v never +any other key cancels/);
    expect(press(model, 'escape').commands).toEqual([]);

    const about = { repo: '/home/me/repo', hashes: [SETUP.hash, CHECK.hash] };
    const yes = press(model, 'y');
    expect(startOf(yes.commands)).toBeUndefined();
    expect(callOf(yes.commands, 'repository.allow').params).toEqual(about);
    const allowed = { ...SETTINGS, consents: SETTINGS.consents.map((each) => ({ ...each, state: 'allowed' })) };
    const after = callOf(yes.commands, 'repository.allow').then(yes.model, allowed as never);
    expect(startOf(after.commands)).toMatchObject({ params: { requirements: 'Make it so' } });
    expect(seen(after.model)).toMatch(/Set-up +✓ allowed/);

    const never = press(model, 'v');
    expect(callOf(never.commands, 'repository.forbid').params).toEqual(about);

    const no = press(model, 'n');
    expect(startOf(no.commands)).toBeDefined();
    expect(seen(no.model)).toMatch(/Set-up +✗ not in this run/);
  });

  it("offers no start without the person's own wrap before it is forbidden", () => {
    const wall = { ...consent('wrap', 'unknown', 'start agents with box'), from: ['/c/repositories/r.yaml'] };
    const { model } = press(filled({ ...SETTINGS, consents: [SETUP, wall] }), 'C-s');
    expect(seen(model)).toMatch(/start agents with box[\s\S]*y allow +v never +any other key cancels/);
    expect(startOf(press(model, 'n').commands)).toBeUndefined();
  });

  it('starts nothing if the decision cannot be recorded', () => {
    const { model, commands } = press(press(filled(), 'C-s').model, 'y');
    expect(callOf(commands, 'repository.allow').failed).toBeUndefined();
    expect(startOf(commands)).toBeUndefined();
    expect(seen(model)).toContain('not allowed yet');
  });

  it('previews the run as it would be allowed, and as it is without', () => {
    expect(asked(filled())).toMatchObject({ allowSetup: true, dryRun: true });
    const declined = press(filled(), 'C-s', 'n').model;
    const said = answered(declined, { 'run.lastBackends': { remembered: [], unusable: [] } });
    expect(asked(said)).not.toHaveProperty('allowSetup');
  });

  it('lets the person decide before the start, and again what was forbidden', () => {
    const forbidden = filled({ ...SETTINGS, consents: [{ ...SETUP, state: 'forbidden' }] });
    expect(press(forbidden, 'C-s').commands).toHaveLength(1);
    const row = press(forbidden, 'G', 'k', 'k').model;
    expect(seen(row)).toMatch(/▌Set-up +✗ forbidden {2}run npm ci/);
    const { commands } = press(row, 'enter', 'y');
    expect(callOf(commands, 'repository.allow').params).toMatchObject({ hashes: [SETUP.hash] });
  });

  it('takes no guessed checks for a template that the person chose', () => {
    const chosen = press(filled(), 'k', 'enter', ...typing('quick@1'), 'enter').model;
    expect(asked(answered(chosen, { 'run.lastBackends': { remembered: [], unusable: [] } }))).toMatchObject({
      template: 'quick@1',
    });
    expect(seen(chosen)).toMatch(/Checks +only those of the template/);
    expect(seen(chosen)).not.toContain('and 1 more line');
    expect(seen(press(chosen, 'x').model)).toMatch(/Template +quick {2}guess/);
  });

  it('asks about the commands of a template that a file chose, and not of one that the person chose', () => {
    const commands = consent('template', 'unknown', 'in phase check run make test (template quick@2, devflow.yaml:1)');
    const model = filled({ ...SETTINGS, consents: [commands] });
    const question = press(model, 'C-s');
    expect(startOf(question.commands)).toBeUndefined();
    expect(seen(question.model)).toMatch(/run make test[\s\S]*y allow +v never/);
    expect(startOf(press(question.model, 'n').commands)).toBeUndefined();
    const chosen = press(model, 'k', 'enter', ...typing('quick@1'), 'enter').model;
    expect(seen(chosen)).not.toContain('make test');
    const checked = answered(chosen, { 'run.lastBackends': { remembered: [], unusable: [] } });
    expect(startOf(press(answered(checked, { 'run.start': PLAN }), 'C-s').commands)).toBeDefined();
  });

  it('changes the checks of the settings as if they were typed', () => {
    const edited = press(filled(), 'j', 'j', 'j', 'enter', ...typing(' -- --ci'), 'enter').model;
    const later = answered(edited, { 'run.lastBackends': { remembered: [], unusable: [] } });
    expect(asked(later)?.extra).toEqual({ verify: [['npm', 'test', '--', '--ci']] });
    expect(seen(press(edited, 'x').model)).toMatch(/Checks +npm test {2}guess/);
    expect(asked(press(filled(), 'j', 'j', 'j', 'enter', 'enter').model)).not.toHaveProperty('extra');
  });

  it('takes another sandbox, and the one of the settings again', () => {
    const chosen = press(filled(), 'G', 'k', 'enter', ...typing('off'), 'enter').model;
    expect(asked(answered(chosen, { 'run.lastBackends': { remembered: [], unusable: [] } }))).toMatchObject({
      sandbox: 'off',
    });
    expect(seen(press(chosen, 'x').model)).toMatch(/Sandbox +agents {2}devflow\.yaml:4/);
  });

  it('says at once that the settings are wrong, or that there is no repository', () => {
    const model = givenModel({ screen: 'new' });
    const { key } = queryOf(model, 'repository.show') as Query;
    const error = { code: 'settings_invalid', message: 'devflow.yaml:3:1: verfiy is unknown.', hint: 'Fix the line.' };
    const refused = { ...model, data: new Map(model.data).set(key, { error }) };
    expect(seen(refused)).toMatch(/✗ devflow\.yaml:3:1: verfiy is unknown\. \(settings_invalid\)\n → Fix the line\./);
    expect(queryOf(refused, 'run.lastBackends')).toBeUndefined();
  });

  it('goes to the page of the repository of the form', () => {
    const { model } = press(filled(), 's');
    expect(model.place).toEqual({ screen: 'repository', id: '/home/me/repo' });
    expect(press(model, 'escape').model.place.screen).toBe('new');
  });
});

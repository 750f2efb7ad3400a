import { describe, expect, it } from 'vitest';
import type { RpcParams, RpcResult } from '../../../../schemas/rpc/methods/index.ts';
import type { Command, Model, StartCommand } from '../../../../tui/model/model.ts';
import { type Query, STATUS } from '../../../../tui/model/query.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { givenModel, press, seen, typing } from '../../given.ts';
import { summary } from '../run/runFixtures.ts';

const TEMPLATE = { name: 'quick', version: 1, hash: 'h', phases: ['do'], roles: ['implementer'] };
const PERSONA = {
  name: 'impl',
  version: 1,
  hash: 'h',
  backend: 'fake',
  capabilities: [],
  maxRiskLevel: 'low',
  allowedRoles: null,
};
const NOTES = { uncommitted: { count: 0, files: [] }, submodules: [], warnings: [] };
const PLAN = {
  ...NOTES,
  dryRun: true,
  template: 'quick@1',
  templateHash: 'h',
  repoPath: '/r',
  baseBranch: 'main',
  baseCommit: '12345678',
  bindings: [
    { roleId: 'implementer', role: 'implementer', persona: 'impl@1', backend: 'fake', reason: 'It is the only one.' },
  ],
  phases: [
    {
      key: 'do',
      title: 'Do',
      kind: 'agent',
      roles: ['implementer'],
      artifact: 'a',
      gates: ['approved'],
      commands: [],
    },
    {
      key: 'check',
      title: 'Check',
      kind: 'command',
      roles: [],
      artifact: null,
      gates: [],
      commands: [['npm', 'test']],
    },
  ],
};

/** The settings of a repository that says nothing but a template. */
const SETTINGS = {
  repoPath: '/r',
  baseBranch: 'main',
  baseCommit: '12345678',
  rows: [{ key: 'template', value: 'quick', from: 'guess' }],
  consents: [],
  setup: null,
};

function opened(settings: object = SETTINGS): Model {
  const lists = answered(givenModel({ screen: 'new' }), 'template.list', [TEMPLATE]);
  return answered(answered(lists, 'persona.list', [PERSONA]), 'repository.show', settings);
}

/** The model after the answer to a query of its screen. */
function answered(model: Model, method: string, value: unknown, error?: unknown): Model {
  const wanted = screenOf(model)
    .queries(model)
    .find((each) => each.method === method) as Query;
  return { ...model, data: new Map(model.data).set(wanted.key, error ? { error: error as never } : { value }) };
}

function filled(): Model {
  return remembering({ remembered: [], unusable: [] });
}

function remembering(last: RpcResult<'run.lastBackends'>): Model {
  const { model } = press(opened(), 'j', 'j', 'enter', 'down', 'enter', 'j', 'enter', ...typing('Make it so'), 'enter');
  return answered(model, 'run.lastBackends', last);
}

const dryRun = (model: Model) =>
  screenOf(model)
    .queries(model)
    .find(({ method }) => method === 'run.start')?.params as RpcParams<'run.start'> | undefined;
const start = (commands: readonly Command[]) => commands.find((command) => command.type === 'start') as StartCommand;

describe('the form of a new run', () => {
  it('asks the daemon nothing while a required field is empty, and names the field', () => {
    expect(dryRun(opened())).toBeUndefined();
    expect(seen(opened())).toContain('Missing: the requirements.');
    expect(press(opened(), 'C-s')).toMatchObject({ commands: [], model: { toasts: [{ tone: 'warn' }] } });
  });

  it('makes a dry run after each changed field, not after each letter', () => {
    const model = filled();
    expect(dryRun(model)).toEqual({
      repo: '/home/me/repo',
      template: 'quick@1',
      requirements: 'Make it so',
      bind: {},
      backend: {},
      dryRun: true,
    });
    const typingOn = press(model, 'enter', ...typing(' again')).model;
    expect(dryRun(typingOn)?.requirements).toBe('Make it so');
    expect(dryRun(press(typingOn, 'enter').model)?.requirements).toBe('Make it so again');
  });

  it('asks for the host only where there are several, and for a directory of that host', () => {
    const host = (id: string, here: boolean) => ({ id, here, state: here ? 'ready' : 'silent' });
    const withHosts = (hosts?: unknown) => {
      const model = opened();
      return { ...model, data: new Map(model.data).set(STATUS.key, { value: { approvals: { pending: 0 }, hosts } }) };
    };
    expect(seen(withHosts())).not.toMatch(/^.?Host /m);
    const several = withHosts([host('big', false), host('mine', true)]);
    expect(seen(several)).toMatch(/Host +mine +this one/);
    const chosen = press(several, 'k', 'enter', 'down', 'enter').model;
    expect(seen(chosen)).toMatch(/Host +big[\s\S]*Repository +an absolute path there/);
    expect(seen(chosen)).toContain('the repository on big, as an absolute path');
    const filling = press(
      chosen,
      'j',
      'enter',
      ...typing('/srv/thing'),
      'enter',
      'j',
      'enter',
      ...typing('dev'),
      'enter',
    );
    const known = answered(filling.model, 'repository.show', SETTINGS);
    const rest = press(known, 'j', 'enter', 'down', 'enter', 'j', 'enter', ...typing('Make it so'), 'enter').model;
    const there = { repo: '/srv/thing', template: 'quick@1', host: 'big' };
    const last = screenOf(rest)
      .queries(rest)
      .find(({ method }) => method === 'run.lastBackends');
    expect(last?.params).toMatchObject(there);
    const full = answered(rest, 'run.lastBackends', { remembered: [], unusable: [] });
    expect(dryRun(full)).toMatchObject({ ...there, base: 'dev' });
    // Back on this host its own directory counts again.
    const back = press(full, 'k', 'k', 'k', 'k', 'x').model;
    expect(seen(back)).toMatch(/Host +mine +this one[\s\S]*Repository +\/home\/me\/repo/);
  });

  it('shows the persona of each role and why, and starts with Ctrl-S only after a good dry run', () => {
    expect(press(filled(), 'C-s').commands).toEqual([]);
    const good = answered(filled(), 'run.start', PLAN);
    expect(seen(good)).toMatch(
      /impl@1 \(fake\) +It is the only one\.[\s\S]*Ctrl-S starts the run[\s\S]*do \[approved\][\s\S]*check: npm test/,
    );
    const { model, commands } = press(good, 'C-s');
    expect(start(commands)).toMatchObject({ params: { template: 'quick@1' } });
    expect(start(commands).params).not.toHaveProperty('dryRun');
    const done = start(commands).then(model, { ...NOTES, runId: 'abcdef0123' });
    expect(done.model.place).toEqual({ screen: 'run', id: 'abcdef0123' });
    expect(done.model.toasts.at(-1)?.text).toContain('abcdef01');
  });

  it('shows why the daemon refuses the form, with the hint', () => {
    const why = { code: 'branch_missing', message: 'There is no branch x.', hint: 'Choose another.' };
    const model = answered(filled(), 'run.start', undefined, why);
    expect(seen(model)).toMatch(/✗ There is no branch x\. \(branch_missing\)\n → Choose another\./);
    expect(press(model, 'C-s').commands).toEqual([]);
  });

  it('shows why a start failed until a field changes, and allows another start', () => {
    const { model, commands } = press(answered(filled(), 'run.start', PLAN), 'C-s');
    const error = { code: 'active_run_exists', message: 'There is a run already.', hint: 'Wait for it.' };
    const refused = start(commands).failed?.(model, error).model as Model;
    expect(seen(refused)).toMatch(/active_run_exists[\s\S]*Wait for it/);
    expect(seen(press(refused, 'k').model)).toContain('active_run_exists');
    expect(start(press(refused, 'C-s').commands).params).toEqual(start(commands).params);
    expect(seen(press(refused, 'k', 'k', 'k', 'x').model)).not.toContain('active_run_exists');
  });

  it('does not start a second run while the first one starts', () => {
    const busy: Model = { ...answered(filled(), 'run.start', PLAN), busy: ['starting the run'] };
    expect(press(busy, 'C-s').commands).toEqual([]);
  });

  it('keeps the form when the person leaves and returns', () => {
    const back = press(filled(), '4', 'n').model;
    expect(back.place.screen).toBe('new');
    expect(seen(back)).toContain('Make it so');
  });

  it('takes commands as checks, and refuses shell syntax', () => {
    const row = press(filled(), 'j', 'j', 'j');
    const model = press(row.model, 'enter', ...typing('npm test'), 'enter').model;
    expect(dryRun(model)?.extra).toEqual({ verify: [['npm', 'test']] });
    const refused = press(model, 'enter', 'C-u', ...typing('a && b'), 'enter').model;
    expect(refused.overlay).toMatchObject({ kind: 'input', field: { text: 'a && b' } });
    expect(refused.toasts.at(-1)?.text).toContain('no shell runs it');
    expect(dryRun(press(model, 'x').model)).not.toHaveProperty('extra');
  });

  it('binds a role to a chosen persona or backend, and clears the choice', () => {
    const on = (text: string) => {
      const { model } = press(filled(), 'G', 'k', 'k', 'k', 'enter', ...typing(text), 'enter');
      return answered(model, 'run.lastBackends', { remembered: [], unusable: [] });
    };
    expect(dryRun(on('impl@1'))).toMatchObject({ bind: { implementer: 'impl@1' }, backend: {} });
    expect(dryRun(on('any on claude'))).toMatchObject({ bind: {}, backend: { implementer: 'claude' } });
    expect(dryRun(press(on('impl@1'), 'x').model)).toMatchObject({ bind: {}, backend: {} });
  });

  it('takes requirements from the editor and from a readable file', () => {
    const edit = press(filled(), 'e').commands[0] as Extract<Command, { type: 'edit' }>;
    expect(edit).toMatchObject({ type: 'edit', text: 'Make it so' });
    expect(seen(edit.then(filled(), 'one\ntwo\n').model)).toContain('2 lines one');
    const asked = press(filled(), 'f', ...typing('a.md'), 'enter');
    const read = asked.commands[0] as Extract<Command, { type: 'readFile' }>;
    expect(read).toMatchObject({ type: 'readFile', path: 'a.md' });
    expect(dryRun(read.then(asked.model, 'from a file').model)?.requirements).toBe('from a file');
    const failed = read.then(asked.model, { code: 'usage', message: 'It cannot be read.' }).model;
    expect(dryRun(failed)?.requirements).toBe('Make it so');
    expect(failed.toasts.at(-1)?.text).toContain('cannot be read');
  });

  it('offers the branches of the repository, the checked-out one first', () => {
    const asked = press(filled(), 'k', 'k', 'enter');
    const command = asked.commands[0] as Extract<Command, { type: 'branches' }>;
    expect(command).toMatchObject({ type: 'branches', repo: '/home/me/repo' });
    const listed = command.then(asked.model, ['main', 'other']).model;
    const other = answered(press(listed, 'down', 'enter').model, 'repository.show', SETTINGS);
    expect(dryRun(answered(other, 'run.lastBackends', { remembered: [], unusable: [] }))?.base).toBe('other');
    expect(dryRun(press(listed, 'enter').model)).not.toHaveProperty('base');
    expect(command.then(asked.model, []).model.toasts.at(-1)?.text).toContain('no git repository');
  });

  it('shows the current field in the smallest terminal', () => {
    const small: Model = { ...answered(filled(), 'run.start', PLAN), size: { columns: 60, rows: 15 } };
    expect(seen(press(small, 'G').model)).toMatch(/▌Parallel/);
    expect(seen(press(small, 'g').model)).toMatch(/▌Repository/);
  });

  const LAST = { roleId: 'implementer', backend: 'fake' as const, runId: 'abcdef0123' };

  it('uses the backends of the last run until others are chosen', () => {
    const model = remembering({ remembered: [LAST], unusable: [] });
    expect(dryRun(model)).toMatchObject({ bind: {}, backend: { implementer: 'fake' } });
    const good = answered(model, 'run.start', PLAN);
    expect(seen(good)).toMatch(/impl@1 \(fake\) +as in run abcdef01/);
    expect(start(press(good, 'C-s').commands).params).toMatchObject({ backend: { implementer: 'fake' } });
    const chooser = press(good, 'G', 'k', 'k', 'k', 'enter').model;
    expect(seen(chooser)).toMatch(/any on fake +as in run abcdef01/);
    const own = answered(press(chooser, ...typing('as dev'), 'enter').model, 'run.lastBackends', {
      remembered: [LAST],
      unusable: [],
    });
    expect(dryRun(own)).toMatchObject({ backend: {} });
    expect(dryRun(press(own, 'x').model)).toMatchObject({ backend: { implementer: 'fake' } });
  });

  it('names a backend of the last run that is no longer available', () => {
    const unusable = [{ ...LAST, reason: 'backend fake is not enabled' }];
    const model = answered(remembering({ remembered: [], unusable }), 'run.start', PLAN);
    expect(seen(model)).toContain('implementer cannot use fake as in run abcdef01: backend fake is not enabled');
  });

  it('shows the warnings of the dry run, and still starts', () => {
    const warnings = ['2 uncommitted files are not part of the run: a, b. Commit what the run needs first.'];
    const model = answered(filled(), 'run.start', { ...PLAN, warnings });
    expect(seen(model)).toContain('! 2 uncommitted files are not part of the run: a, b.');
    expect(press(model, 'C-s').commands).toHaveLength(1);
  });

  it('starts beside an open run only if Parallel is on', () => {
    const why = { code: 'active_run_exists', message: 'There is run x.', hint: 'Start beside it: --parallel.' };
    const refused = answered(filled(), 'run.start', undefined, why);
    expect(seen(refused)).toContain('Start beside it: the field Parallel.');
    const beside = press(refused, 'G', 'enter').model;
    expect(dryRun(beside)).toMatchObject({ parallel: true });
    expect(seen(beside)).toMatch(/Parallel +yes, beside an open run/);
    expect(dryRun(press(beside, 'x').model)).not.toHaveProperty('parallel');
  });

  it('shows the progress of the worktree while the run starts', () => {
    const { model } = press(answered(filled(), 'run.start', PLAN), 'C-s');
    const busy = { ...model, busy: ['starting the run'] };
    const runs = [
      { ...summary({ runId: 'r1', state: 'created' }), waitingFor: 'its worktree (42,000 of 100,000 files)' },
    ];
    expect(seen(answered(busy, 'run.list', runs))).toContain('waiting for its worktree (42,000 of 100,000 files)');
  });
});

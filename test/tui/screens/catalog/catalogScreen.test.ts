import { describe, expect, it } from 'vitest';
import type { Model, ScreenId } from '../../../../tui/model/model.ts';
import { query } from '../../../../tui/model/query.ts';
import type { CallCommand } from '../../../../tui/model/step.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { givenModel, press, seen } from '../../given.ts';

const LONG = Array.from({ length: 60 }, (_, nth) => `Instruction ${nth}.`).join('\n');
const TEMPLATES = ['one', 'two'].map((name) => ({
  name,
  version: 1,
  hash: `${name}hash`,
  phases: ['do'],
  roles: ['r'],
}));
const TEMPLATE = {
  ...TEMPLATES[0],
  definition: {
    name: 'one',
    version: 1,
    defaultGates: ['looked_at'],
    roles: [{ id: 'r', requiredCapabilities: ['code_edit'], preferredBackends: ['codex', 'claude'], count: 2 }],
    phases: [
      {
        key: 'do',
        title: 'Do it',
        kind: 'agent',
        risk: 'low',
        roles: ['r'],
        gates: [],
        commands: [],
        expectedArtifact: { path: 'a.json', schema: 'dev/a@1' },
        instructions: `\u001b[2J${LONG}`,
      },
    ],
  },
  usedBy: ['0123456789', 'abcdefabcd'],
};
const PROBLEM = { kind: 'template', file: '/cfg/mine.yaml', message: 'line 3: roles: there is no such role' };
const STATUS = { approvals: { pending: 0 }, problems: [PROBLEM, { ...PROBLEM, kind: 'persona', file: '/cfg/p.yaml' }] };

function given(screen: ScreenId, size = { columns: 80, rows: 24 }): Model {
  const known: [Parameters<typeof query>, unknown][] = [
    [['daemon.status', {}], STATUS],
    [['template.list', {}], TEMPLATES],
    [['template.get', { template: 'one@1' }], TEMPLATE],
  ];
  const data = new Map(known.map(([asked, value]) => [query(...asked).key, { value }]));
  return { ...givenModel({ screen }, size), data };
}

describe('templates', () => {
  it('shows the list and the selected definition, side by side on a wide terminal', () => {
    for (const columns of [80, 140]) {
      const text = seen(given('templates', { columns, rows: 50 }));
      for (const part of ['one@1', 'two@1', 'onehash', '2 runs: 01234567 abcdefab', '2 agents; needs code_edit']) {
        expect(text).toContain(part);
      }
      expect(text).toMatch(/1 do {2}Do it[\s\S]*artifact +a\.json \(dev\/a@1\)[\s\S]*gates +looked_at/);
      expect(text).toContain('Instruction 0.');
    }
  });

  it('shows files that failed to load above the list of their kind', () => {
    expect(seen(given('templates'))).toMatch(/✗ \/cfg\/mine\.yaml\n +line 3: roles: there is no such role/);
    expect(seen(given('templates'))).not.toContain('p.yaml');
    expect(seen(given('personas'))).toContain('/cfg/p.yaml');
  });

  it('reads only the selected definition', () => {
    const { model } = press(given('templates'), 'j');
    const asked = screenOf(model)
      .queries(model)
      .filter(({ method }) => method === 'template.get');
    expect(asked.map(({ params }) => params)).toEqual([{ template: 'two@1' }]);
  });

  it('opens the text on the whole screen, scrolls it, and closes it again', () => {
    const whole = press(given('templates'), 'enter').model;
    expect(seen(whole)).not.toContain('two@1');
    expect(seen(press(whole, 'G').model)).toContain('Instruction 59.');
    const back = press(whole, 'G', 'escape').model;
    expect(back.place.screen).toBe('templates');
    expect(seen(back)).toContain('two@1');
    // Another item starts at its top.
    expect(seen(press(back, 'j').model)).toContain('template      two@1');
  });

  it('goes back with Escape while the list is shown', () => {
    const there = press(given('doctor'), '4').model;
    expect(press(there, 'escape').model).toMatchObject({ place: { screen: 'doctor' }, toasts: [] });
  });
});

describe('doctor', () => {
  const CHECKS = [
    { name: 'git', status: 'pass', detail: 'git 2.50', remediation: null },
    { name: 'tmux', status: 'warn', detail: 'tmux 3.3a works', remediation: 'Install 3.5.' },
    { name: 'node', status: 'fail', detail: 'too old', remediation: 'Install Node 22.' },
  ];

  it('shows what passes, warns and fails, with the remediation', () => {
    const model = given('doctor');
    expect(seen(model)).toContain('checking…');
    const { commands } = press(model, 'r');
    const checked = (commands[0] as CallCommand<'daemon.doctor'>).then(model, CHECKS as never).model;
    expect(seen(checked)).toContain('1 pass, 1 warn, 1 fail');
    expect(seen(checked)).toMatch(/✓ pass {2}git[\s\S]*! warn {2}tmux[\s\S]*→ Install 3\.5\.[\s\S]*✗ fail {2}node/);
  });

  it('asks the daemon again in strict mode', () => {
    const strict = press(given('doctor'), 's').model;
    expect(screenOf(strict).queries(strict)).toEqual([query('daemon.doctor', { strict: true, listOrphans: false })]);
    expect(press({ ...strict, busy: ['checking'] }, 'r').commands).toEqual([]);
  });
});

describe('help', () => {
  it('says what devflow is, its keys in tmux, and what the states mean', () => {
    const all = seen(givenModel({ screen: 'help' }, { columns: 100, rows: 120 }));
    for (const part of [
      'What devflow is',
      'prefix F',
      '? decision',
      '! needs you',
      '● validating',
      'asks for permission',
    ]) {
      expect(all).toContain(part);
    }
  });
});

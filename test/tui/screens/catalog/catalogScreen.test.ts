import { describe, expect, it } from 'vitest';
import type { Model, ScreenId } from '../../../../tui/model/model.ts';
import { query } from '../../../../tui/model/query.ts';
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

  it('says how a phase of lanes works', () => {
    const [phase] = TEMPLATE.definition.phases;
    const graph = {
      ...phase,
      key: 'plan',
      instructions: 'Plan.',
      expectedArtifact: { path: 'd.json', schema: 'dev/dag@1' },
    };
    const lanes = { ...phase, kind: 'lanes', lanes: { max: 2, batch: 1, checks: 'verify' } };
    const definition = { ...TEMPLATE.definition, phases: [graph, lanes] };
    const known = given('templates', { columns: 140, rows: 60 });
    const data = new Map(known.data).set(query('template.get', { template: 'one@1' }).key, {
      value: { ...TEMPLATE, definition },
    } as never);
    const text = seen({ ...known, data });
    expect(text).toMatch(/kind +lanes, risk low[\s\S]*lanes +tasks of plan, at most 2 at once/);
    expect(text).toContain('checked by verify');
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

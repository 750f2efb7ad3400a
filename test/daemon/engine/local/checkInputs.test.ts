import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkInputs, commandsGiven } from '../../../../daemon/engine/local/checkInputs.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import type { Template } from '../../../../schemas/definitions/template.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { TEMPLATES } from '../../core/support/templates.ts';

const withObjective: Template = {
  ...TEMPLATES.withoutGate,
  phases: TEMPLATES.withoutGate.phases.map((phase) => ({ ...phase, instructions: 'Reach:\n{{objective}}' })),
};
const check = (template: Template, inputs: Parameters<typeof checkInputs>[1]) => () =>
  checkInputs(template, inputs, registry);
const registry = createRegistry({ builtinDir: join(packageRoot(), 'schemas/artifacts') });

describe('extra inputs', () => {
  it('takes commands for a command phase of the template', () => {
    expect(check(TEMPLATES.development, { extra: { verify: [['npm', 'test']] } })).not.toThrow();
    expect(check(TEMPLATES.commands, { extra: { prepare: [], verify: [['true']] } })).not.toThrow();
  });

  it.each([
    [
      '--verify where no phase takes it',
      TEMPLATES.withoutGate,
      { verify: [['true']] },
      /--verify .* takes no commands/,
    ],
    [
      'a key that is misspelt',
      TEMPLATES.development,
      { verfy: [['true']] },
      /extra\.verfy: it takes only extra\.verify/,
    ],
    ['a key of an agent phase', TEMPLATES.development, { implement: [['true']] }, /extra\.implement/],
    ['any other key', TEMPLATES.commands, { symbol: 'BTC' }, /only extra\.prepare, extra\.test, extra\.verify/],
    ['what is no list of commands', TEMPLATES.development, { verify: 'npm test' }, /list of commands/],
    ['a command without a word', TEMPLATES.development, { verify: [[]] }, /list of commands/],
  ])('refuses %s, and names what the template takes', (_, template, extra, message) => {
    expect(check(template, { extra })).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringMatching(message) }),
    );
  });

  it('takes commands for the phase of a template that only reviews', () => {
    const template = { ...TEMPLATES.review, phases: TEMPLATES.review.phases.filter(({ kind }) => kind === 'review') };
    const change = { of: 'commits' } as const;
    expect(check(template, { change, extra: { review: [['npm', 'test']] } })).not.toThrow();
    const blocked = check(template, { change, extra: { review: [['git', 'push', '--force']] } });
    expect(blocked).toThrow(expect.objectContaining({ code: 'destructive_command_blocked' }));
    expect(check(TEMPLATES.review, { extra: { review: [['true']] } })).toThrow(/extra\.review/);
  });

  it('names the nearest key', () => {
    const hint = { recoveryHint: 'Did you mean extra.verify?' };
    expect(check(TEMPLATES.development, { extra: { verfy: [] } })).toThrow(expect.objectContaining(hint));
  });
});

describe('the objective', () => {
  it('takes a JSON object where an instruction has {{objective}}', () => {
    expect(check(withObjective, { objective: { metric: 'time' } })).not.toThrow();
    expect(check(withObjective, {})).not.toThrow();
  });

  it.each([
    ['a string', withObjective, 'fast', /JSON object/],
    ['a list', withObjective, [], /JSON object/],
    ['null', withObjective, null, /JSON object/],
    ['a number', withObjective, 3, /JSON object/],
    ['more than 64 Ki characters', withObjective, { a: 'x'.repeat(70_000) }, /65536 are allowed/],
    [
      'an object that no instruction takes',
      TEMPLATES.withoutGate,
      {},
      /Template without-gate@1 does not take an objective/,
    ],
  ])('refuses %s', (_, template, objective, message) => {
    expect(check(template, { objective })).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringMatching(message) }),
    );
  });
});

describe('what a measured run starts with', () => {
  const TARGETS = [{ metric: 'sharpe', op: 'gte', value: 1.5, weight: 1 }];
  const measure = { argv: ['npm', 'run', 'backtest'] };

  it('is an objective of either version, with a command that measures', () => {
    expect(check(TEMPLATES.measured, { objective: { targets: TARGETS, measure } })).not.toThrow();
    const first = { targets: TARGETS, stopWhen: 'all' };
    expect(check(TEMPLATES.measured, { objective: first, extra: { backtest: [measure.argv] } })).not.toThrow();
  });

  it.each([
    ['no objective', {}, /needs an objective/],
    [
      'a field that is misspelt',
      { objective: { targets: TARGETS, measure, protect: [] } },
      /keep to bt\/objective@2: \//,
    ],
    [
      'a wrong comparison',
      { objective: { targets: [{ ...TARGETS[0], op: 'above' }], measure } },
      /\/targets\/0\/op must be one of/,
    ],
    ['the same target twice', { objective: { targets: [...TARGETS, ...TARGETS], measure } }, /already at \/targets\/0/],
    ['a glob that leads out', { objective: { targets: TARGETS, measure, protected: ['../x'] } }, /\/protected\/0/],
    [
      'two targets that contradict each other',
      { objective: { targets: [...TARGETS, { metric: 'sharpe', op: 'lt', value: 1 }], measure } },
      /can never be met as it is: no sharpe is at least 1.5 and less than 1\./,
    ],
    [
      'a unit that cannot be',
      { objective: { targets: [{ metric: 'mdd', op: 'lte', value: 15 }], measure } },
      /mdd at most 15 reads as 1500 %: .* for 15 %/,
    ],
    [
      'everything protected',
      { objective: { targets: TARGETS, measure, protected: ['**'] } },
      /protected names every file, so that agents can change nothing/,
    ],
    [
      'everything that is editable protected',
      { objective: { targets: TARGETS, measure, editable: ['src/*.ts'], protected: ['src/**'] } },
      /protected names every file that is editable/,
    ],
    ['no command', { objective: { targets: TARGETS, stopWhen: 'all' } }, /Nothing says how .* measures/],
    [
      'two commands',
      { objective: { targets: TARGETS, stopWhen: 'all' }, extra: { backtest: [['a'], ['b']] } },
      /Nothing says how/,
    ],
    [
      'a command beside that of the objective',
      { objective: { targets: TARGETS, measure }, extra: { backtest: [['a']] } },
      /extra\.backtest/,
    ],
  ])('is not %s', (_, inputs, message) => {
    expect(check(TEMPLATES.measured, inputs)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringMatching(message) }),
    );
  });

  it('is no command that the policy blocks', () => {
    const objective = { targets: TARGETS, measure: { argv: ['git', 'push', '--force'] } };
    expect(check(TEMPLATES.measured, { objective })).toThrow(
      expect.objectContaining({ code: 'destructive_command_blocked' }),
    );
    expect(commandsGiven(TEMPLATES.measured.phases[0] as never, {}, objective)).toEqual([['git', 'push', '--force']]);
  });
});

describe('commands that the policy blocks', () => {
  const blocked = (argv: string[]): Template => ({
    ...TEMPLATES.onlyCommands,
    phases: TEMPLATES.onlyCommands.phases.map((phase, at) =>
      at === 1 ? { ...phase, commands: [{ kind: 'test' as const, argv }] } : phase,
    ),
  });

  it.each([
    ['of the template', blocked(['git', 'clean', '-fd']), {}, 'destructive_command_blocked', 'publish'],
    [
      'given at start',
      TEMPLATES.development,
      { verify: [['true'], ['rm', '-rf', 'x']] },
      'destructive_command_blocked',
      'verify',
    ],
    ['that read secrets', TEMPLATES.development, { verify: [['cat', '.env']] }, 'secret_access_blocked', 'verify'],
  ])('are refused before anything starts: %s', (_, template, extra, code, phase) => {
    expect(check(template, { extra })).toThrow(
      expect.objectContaining({
        code,
        message: expect.stringMatching(`^Phase ${phase} would run .* blocked by policy: `),
      }),
    );
  });
});

it('lists the commands of a phase with those given at start', () => {
  const [check1] = TEMPLATES.onlyCommands.phases;
  if (!check1) throw new TypeError('the template has no phase');
  expect(commandsGiven(check1, { check: [['npm', 'test']], publish: [['x']] })).toEqual([
    ['make', 'check'],
    ['npm', 'test'],
  ]);
});

import { expect, test } from 'vitest';
import { citationFaults } from '../../../../daemon/definitions/factory/citationFaults.ts';
import { Template } from '../../../../schemas/definitions/template.ts';
import { type Fact, RANKS, type RepoFacts } from '../../../../schemas/repoFacts.ts';

const fact = (id: string, over: Partial<Fact> = {}): Fact => ({
  id,
  kind: 'test',
  argv: ['make', id],
  cwd: '.',
  from: { path: '.github/workflows/ci.yml', line: 3, quote: `run: make ${id}` },
  source: 'ci',
  rank: RANKS.ci,
  probe: { exit: 0, ms: 10, class: 'green', reason: null },
  ...over,
});
const FACTS: RepoFacts = {
  facts: [
    fact('unit'),
    fact('slow', { probe: { exit: 1, ms: 10, class: 'red_at_base', reason: 'exit 1 at the base commit' } }),
    fact('told', { source: 'doc', rank: RANKS.doc, from: { path: 'README.md', line: 9, quote: 'make told' } }),
    fact('inner', { cwd: 'packages/a' }),
  ],
  knownRed: ['slow'],
  languages: [],
  workspaces: [],
  uncovered: [],
  base: { commit: 'c0ffee' },
};

const template = (...commands: string[][]) =>
  Template.parse({
    name: 't',
    version: 1,
    roles: [],
    phases: [
      { key: 'verify', title: 'Check', kind: 'command', risk: 'low', commands: commands.map((argv) => ({ argv })) },
    ],
  });
const messages = (cites: [string[], string][], ...commands: string[][]) =>
  citationFaults(template(...commands), { cites: cites.map(([argv, id]) => ({ argv, fact: id })) }, FACTS).map(
    ({ path, message }) => `${path} ${message}`,
  );

test('takes a command that is green and stands in CI', () => {
  expect(messages([[['make', 'unit'], 'unit']], ['make', 'unit'])).toEqual([]);
});

test.each<[string, [string[], string][], string[], string[]]>([
  [
    'a command without a fact',
    [],
    ['make', 'unit'],
    ['/cites uncited_command: make unit of phase verify cites no fact.'],
  ],
  [
    'a fact that does not exist',
    [[['make', 'x'], 'x']],
    ['make', 'x'],
    ['/cites/0 wrong_citation: there is no fact x.'],
  ],
  [
    'another command than the fact',
    [[['make', 'all'], 'unit']],
    ['make', 'all'],
    ['/cites/0 wrong_citation: fact unit is the command make unit.'],
  ],
  [
    'a suite that is red at the base',
    [[['make', 'slow'], 'slow']],
    ['make', 'slow'],
    ['/cites/0 unusable_fact: fact slow shows nothing: exit 1 at the base commit.'],
  ],
  [
    'what only a document says',
    [[['make', 'told'], 'told']],
    ['make', 'told'],
    ['/cites/0 unusable_fact: fact told shows nothing: it is only in README.md.'],
  ],
  [
    'a command of a part of the repository',
    [[['make', 'inner'], 'inner']],
    ['make', 'inner'],
    ['/cites/0 unusable_fact: fact inner runs in packages/a, and commands of a template run in the root.'],
  ],
])('refuses %s', (_, cites, command, expected) => {
  expect(messages(cites, command)).toEqual(expected.map((text) => expect.stringContaining(text)));
});

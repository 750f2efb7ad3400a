import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { problemSentence } from '../../../schemas/definitions/yamlFile.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { parseSettings } from '../../../schemas/repository/parseSettings.ts';

function faultsOf(text: string): string[] {
  const read = parseSettings('devflow.yaml', text);
  return read.ok ? [] : read.problems.map(problemSentence);
}

function settingsIn(text: string) {
  const read = parseSettings('devflow.yaml', text);
  if (!read.ok) throw new Error(read.problems.map(problemSentence).join('\n'));
  return read.settings;
}

const EVERYTHING = `
template: quick-change@2
base: main
verify: [npm test, npm run lint]
backends: { implementer: claude }
worktree:
  copy: [.env.local, config/*.local.json]
  clone: [node_modules, .venv]
  link: [.cache/models]
  setup: [npm ci --prefer-offline]
  again: [package-lock.json]
  teardown: [docker compose -p $DEVFLOW_LANE down]
  ports: [PORT, DB_PORT]
  env: { NODE_ENV: test }
agents: { claude: { settings: true, mcp: [postgres] } }
sandbox: off
wrap: [firejail]
`;

test('reads every key', () => {
  expect(settingsIn(EVERYTHING)).toEqual({
    template: 'quick-change@2',
    base: 'main',
    verify: [
      ['npm', 'test'],
      ['npm', 'run', 'lint'],
    ],
    backends: { implementer: 'claude' },
    worktree: {
      copy: ['.env.local', 'config/*.local.json'],
      clone: ['node_modules', '.venv'],
      link: ['.cache/models'],
      setup: [['npm', 'ci', '--prefer-offline']],
      again: ['package-lock.json'],
      teardown: [['docker', 'compose', '-p', '$DEVFLOW_LANE', 'down']],
      ports: ['PORT', 'DB_PORT'],
      env: { NODE_ENV: 'test' },
    },
    agents: { claude: { settings: true, mcp: ['postgres'] } },
    sandbox: 'off',
    wrap: ['firejail'],
  });
});

test.each(['', '# nothing\n', '---\n', 'worktree:\n', '{}'])('reads %j as no settings', (text) => {
  expect(settingsIn(text)).toEqual({});
});

test('a command is one line, or a list of words', () => {
  expect(settingsIn('verify: [[npm, test], "sh -c \'a && b\'", \'["x y"]\']').verify).toEqual([
    ['npm', 'test'],
    ['sh', '-c', 'a && b'],
    ['x y'],
  ]);
});

describe('a fault names file, line, column, key and what is allowed:', () => {
  test.each([
    [
      'a: 1\ntemplat: x',
      [
        'devflow.yaml:1:1: a: unknown key a; the nearest known one is base',
        'devflow.yaml:2:1: templat: unknown key templat; the nearest known one is template',
      ],
    ],
    ['worktree:\n  setpu: []', ['devflow.yaml:2:3: worktree.setpu: unknown key setpu; the nearest known one is setup']],
    [
      'agents:\n  claude: { mpc: [] }',
      ['devflow.yaml:2:13: agents.claude.mpc: unknown key mpc; the nearest known one is mcp'],
    ],
    ['template: 3', ['devflow.yaml:1:1: template: must be a text']],
    ['verify: npm test', ['devflow.yaml:1:1: verify: must be a list']],
    ['verify:\n  - npm test && npm run lint', ['devflow.yaml:2:5: verify.0: has &&, but no shell runs it']],
    [
      'verify: [ { a: b } ]',
      ['devflow.yaml:1:11: verify.0: must be a command: one line, or a list of words in quotes'],
    ],
    ['verify: [[]]', ['devflow.yaml:1:10: verify.0: must be a command: one line, or a list of words in quotes']],
    [
      'backends: { planner: gpt }',
      ['devflow.yaml:1:13: backends.planner: must be one of "codex", "claude", "gemini", "opencode", "fake"'],
    ],
    [
      'sandbox: yes',
      ['devflow.yaml:1:1: sandbox: must be off or agents or all, or a map with level, network, read and write'],
    ],
    [
      'worktree:\n  again: [/package-lock.json]',
      ['devflow.yaml:2:11: worktree.again.0: "/package-lock.json" must be relative to the root of the repository'],
    ],
    [
      'worktree:\n  link: [a/../../b]',
      ['devflow.yaml:2:10: worktree.link.0: "a/../../b" must not lead out of a directory with ..'],
    ],
    [
      'worktree:\n  clone: [.git/hooks]',
      ['devflow.yaml:2:11: worktree.clone.0: ".git/hooks" lies in git\'s own directory'],
    ],
    [
      'worktree:\n  copy: [./.devflow/x]',
      ['devflow.yaml:2:10: worktree.copy.0: "./.devflow/x" lies in devflow\'s own directory'],
    ],
    [
      'worktree:\n  ports: [1PORT]',
      ['devflow.yaml:2:11: worktree.ports.0: must be the name of a variable: letters, digits and _'],
    ],
    ['worktree:\n  env: { PORT: 3000 }', ['devflow.yaml:2:10: worktree.env.PORT: must be a text']],
    [
      'worktree:\n  env: { DEVFLOW_AGENT: x }',
      ['devflow.yaml:2:10: worktree.env.DEVFLOW_AGENT: is set by devflow or by the system'],
    ],
    [
      'verify: [a, b',
      ['devflow.yaml:1:14: this is not YAML: the indentation does not fit, or a bracket is not closed'],
    ],
    ['- a', ['devflow.yaml:1:1: must be a map']],
    ['base: a\nbase: b', ['devflow.yaml:2:1: this is not YAML: keys of a map must differ']],
  ])('%j', (text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });
});

test.each([
  ['a million words', `verify: [${'[a],'.repeat(100_000)}]`],
  ['300 KB', `template: ${'x'.repeat(300_000)}`],
  [
    'aliases that expand',
    `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d]`,
  ],
  ['nesting without end', `template: ${'['.repeat(5000)}`],
  ['a NUL in a command', 'verify: ["npm\\0 test"]'],
])('refuses %s', (_, text) => {
  expect(faultsOf(text)).not.toEqual([]);
});

test('says in which line a setting stands', () => {
  const read = parseSettings('devflow.yaml', EVERYTHING);
  expect(read.ok && read.lineOf(['worktree', 'setup'])).toBe(10);
});

test('only the person opens the sandbox', () => {
  const text = 'sandbox:\n  level: agents\n  write: [~/cache]\n';
  expect(faultsOf(text)).toEqual([
    'devflow.yaml:3:3: sandbox.write: opens the sandbox, which only your own file for the repository may do',
  ]);
  expect(parseSettings('own.yaml', text, { isPersons: true }).ok).toBe(true);
});

test('only the person has rules for gates, and not in a file that counts in every repository of a name', () => {
  const text = 'gates:\n  auto:\n    - gate: plan_approved\n      if: [no_open_questions, { diff_below: 200 }]\n';
  expect(faultsOf(text)).toEqual([expect.stringContaining('gates.auto: decides at gates, which only you may do')]);
  expect(parseSettings('own.yaml', text, { isPersons: true }).ok).toBe(true);
  const shared = parseSettings('own.yaml', text, { isPersons: true, isShared: true });
  expect(!shared.ok && shared.problems[0]?.message).toContain('counts in every repository of this name');
});

test.each([
  ['no condition', '{ gate: plan_approved, if: [] }'],
  ['a condition of no list', '{ gate: plan_approved, if: [always] }'],
  ['a shell command', '{ gate: plan_approved, if: ["sh -c true"] }'],
  ['two conditions in one', '{ gate: plan_approved, if: [{ diff_below: 1, checks_green: true }] }'],
  ['a number that is none', '{ gate: plan_approved, if: [{ diff_below: 0 }] }'],
  ['a pattern of gates', '{ gate: "*", if: [checks_green] }'],
  ['another key', '{ gate: plan_approved, if: [checks_green], unless: [] }'],
])('a rule with %s is refused', (_, rule) => {
  expect(parseSettings('own.yaml', `gates:\n  auto:\n    - ${rule}\n`, { isPersons: true }).ok).toBe(false);
});

test('every example of docs/repository.md is right', () => {
  const page = readFileSync(join(packageRoot(), 'docs/repository.md'), 'utf8');
  const examples = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map((match) => match[1] ?? '');
  expect(examples.length).toBeGreaterThan(7);
  expect(examples.flatMap(faultsOf)).toEqual([]);
});

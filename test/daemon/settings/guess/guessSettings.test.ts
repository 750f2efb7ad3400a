import { describe, expect, test } from 'vitest';
import { checkPolicy } from '../../../../daemon/policy/policy.ts';
import { type Guess, guessSettings } from '../../../../daemon/settings/guess/guessSettings.ts';
import { readRepository } from '../../discovery/readRepository.ts';

const TOOLS = ['uv', 'poetry', 'pdm', 'pipenv', 'pnpm', 'yarn', 'bun', 'corepack'];

function guess(files: Record<string, string>, tools: readonly string[] = TOOLS): Guess {
  const { facts, workspaces } = readRepository(files);
  const input = {
    paths: new Set(Object.keys(files)),
    texts: new Map(Object.entries(files)),
    facts,
    workspaces,
    has: (program: string) => tools.includes(program),
  };
  return guessSettings(input, checkPolicy);
}

/** One line a command: those of the set-up, then those that test. */
function commandsFor(files: Record<string, string>, tools?: readonly string[]): string[] {
  const { settings } = guess(files, tools).layer;
  const words = (commands: string[][] = []) => commands.map((argv) => argv.join(' '));
  return [...words(settings.worktree?.setup), ...words(settings.verify).map((each) => `? ${each}`)];
}

const NPM = JSON.stringify({ scripts: { test: 'vitest' }, devDependencies: { vitest: '3' } });

describe('Node', () => {
  test.each([
    ['package-lock.json', ['npm ci', '? npm test']],
    ['npm-shrinkwrap.json', ['npm ci', '? npm test']],
    ['pnpm-lock.yaml', ['pnpm install --frozen-lockfile', '? pnpm test']],
    ['yarn.lock', ['yarn install --frozen-lockfile', '? yarn test']],
    ['bun.lock', ['bun install --frozen-lockfile', '? bun run test']],
    ['README.md', ['npm install --no-package-lock', '? npm test']],
  ])('with %s', (lock, commands) => {
    expect(commandsFor({ 'package.json': NPM, [lock]: '' })).toEqual(commands);
  });

  test('newer yarn, which does not keep packages in a directory', () => {
    const files = { 'package.json': NPM, 'yarn.lock': '', '.yarnrc.yml': '' };
    expect(commandsFor(files)).toEqual(['yarn install --immutable', '? yarn test']);
    expect(guess(files).cloneable).toEqual([]);
    const linked = guess({ ...files, '.yarnrc.yml': 'nodeLinker: node-modules\n' });
    expect(linked.cloneable[0]?.directories).toEqual(['node_modules']);
  });

  test('a manager that the machine lacks comes with Node', () => {
    const files = { 'package.json': NPM, 'pnpm-lock.yaml': '' };
    expect(commandsFor(files, ['corepack'])).toEqual([
      'corepack pnpm install --frozen-lockfile',
      '? corepack pnpm test',
    ]);
    expect(commandsFor(files, [])).toEqual(['pnpm install --frozen-lockfile', '? pnpm test']);
  });

  test('nothing to install', () => {
    expect(commandsFor({ 'package.json': '{"scripts":{"test":"node --test"}}' })).toEqual(['? npm test']);
    expect(commandsFor({ 'package.json': '{"scripts":{"test":"echo \\"no test\\" && exit 1"}}' })).toEqual([]);
    expect(commandsFor({ 'package.json': 'not JSON' })).toEqual([]);
  });

  test('a command of CI counts with the variables that CI gives it', () => {
    const workflow = 'jobs:\n  a:\n    steps:\n      - run: RUSTFLAGS=-Dwarnings cargo test\n';
    const files = { 'Cargo.toml': '[package]\nname = "x"\n', '.github/workflows/test.yml': workflow };
    expect(commandsFor(files)).toEqual(['? env RUSTFLAGS=-Dwarnings cargo test']);
  });

  test('a workspace is installed once, and all its directories can be cloned', () => {
    const files = {
      'package.json': JSON.stringify({ workspaces: ['packages/*'], scripts: { test: 'x' } }),
      'package-lock.json': '',
      'packages/a/package.json': NPM,
      'packages/b/package.json': NPM,
    };
    expect(commandsFor(files)).toEqual(['npm ci', '? npm test']);
    expect(guess(files).cloneable).toEqual([
      {
        lock: 'package-lock.json',
        directories: ['node_modules', 'packages/a/node_modules', 'packages/b/node_modules'],
        commands: [['npm', 'ci']],
      },
    ]);
  });

  test('packages below a root without one have directories of their own', () => {
    const files = {
      'web/package.json': NPM,
      'web/package-lock.json': '',
      'api/package.json': NPM,
      'api/pnpm-lock.yaml': '',
      'plain/package.json': '{"scripts":{"test":"node --test"}}',
      'tool/package.json': NPM,
      'docs/package.json': NPM,
      'docs/package-lock.json': '',
    };
    expect(commandsFor(files)).toEqual([
      'pnpm --dir api install --frozen-lockfile',
      'npm --prefix web ci',
      '? sh -c cd api && pnpm test',
      '? npm --prefix plain test',
      '? npm --prefix web test',
    ]);
  });
});

const PYTEST = '[project]\nname = "x"\n[project.optional-dependencies]\ntest = ["pytest"]\n[tool.pytest.ini_options]\n';

describe('Python', () => {
  test.each([
    ['uv.lock', ['uv sync --frozen --extra test', '? uv run pytest']],
    ['poetry.lock', ['poetry install --no-interaction', '? poetry run pytest']],
    ['pdm.lock', ['pdm sync', '? python -m pytest']],
  ])('with %s', (lock, commands) => {
    expect(commandsFor({ 'pyproject.toml': PYTEST, [lock]: '' })).toEqual(commands);
  });

  test('without the tool of the lock file, pip installs the project', () => {
    expect(commandsFor({ 'pyproject.toml': PYTEST, 'uv.lock': '' }, [])).toEqual([
      'python3 -m venv .venv',
      '.venv/bin/python -m pip install -e .[test]',
      '? python -m pytest',
    ]);
  });

  test('the programs of the environment come first, and tools keep it in the worktree', () => {
    const env = (lock: string) => guess({ 'pyproject.toml': PYTEST, [lock]: '' }).layer.settings.worktree?.env;
    expect(env('uv.lock')).toEqual({ PATH: '$DEVFLOW_WORKTREE/.venv/bin:$PATH' });
    expect(env('poetry.lock')).toEqual({
      PATH: '$DEVFLOW_WORKTREE/.venv/bin:$PATH',
      POETRY_VIRTUALENVS_IN_PROJECT: 'true',
    });
  });

  const pip = (files: Record<string, string>) => commandsFor(files, []).find((each) => each.includes('pip install'));
  test.each<[string, Record<string, string>, string]>([
    ['a list', { 'requirements.txt': 'pytest\n' }, '-r requirements.txt'],
    [
      'two lists',
      { 'requirements.txt': 'a', 'requirements-dev.txt': 'pytest' },
      '-r requirements.txt -r requirements-dev.txt',
    ],
    ['a list in a directory', { 'setup.py': '', 'requirements/test.txt': 'pytest' }, '-r requirements/test.txt -e .'],
    ['setup.py', { 'setup.py': 'extras_require={"docs": [], "testing": ["pytest"]}' }, '-e .[testing]'],
    ['setup.cfg', { 'setup.cfg': '[metadata]\nname = x\n[options.extras_require]\ndev =\n  pytest\n' }, '-e .[dev]'],
    [
      'groups, which older versions of pip do not know',
      {
        'pyproject.toml':
          '[project]\nname="x"\n[dependency-groups]\nbase = ["attrs"]\ntest = ["pytest>=8", {include-group = "base"}]\n',
      },
      '-e . pytest>=8 attrs',
    ],
    [
      'the extra that names pytest, whatever it is called',
      {
        'pyproject.toml':
          '[project]\nname="x"\n[project.optional-dependencies]\ncli=["pytest-x"]\nall=["pytest >= 8"]\n',
      },
      '-e .[all]',
    ],
    [
      'tests with settings for pytest alone',
      { 'pyproject.toml': '[project]\nname="x"\n[tool.pytest.ini_options]\n', 'tests/test_x.py': '' },
      '-e . pytest',
    ],
    [
      'tests with settings for pytest in setup.cfg',
      { 'setup.cfg': '[metadata]\nname = x\n[tool:pytest]\n', 'tests/test_x.py': '' },
      '-e . pytest',
    ],
    ['tests without a word about pytest', { 'setup.py': '', 'tests/test_x.py': '' }, '-e . pytest'],
  ])('pip installs %s', (_, files, words) => {
    expect(pip(files)).toBe(`.venv/bin/python -m pip install ${words}`);
  });

  test('pytest runs tests that no file names', () => {
    expect(commandsFor({ 'setup.py': '', 'tests/test_x.py': '', 'tox.ini': '[tox]\n' }, []).at(-1)).toBe(
      '? python -m pytest',
    );
    expect(commandsFor({ 'setup.py': '', 'tox.ini': '[tox]\n' }, []).at(-1)).toBe('? tox');
    expect(commandsFor({ 'setup.py': '', 'tests/test_x.py': '' }, []).at(-1)).toBe('? python -m pytest');
  });

  test('packages in directories are tested each in its own environment', () => {
    const files = {
      'api/pyproject.toml': PYTEST,
      'worker/setup.py': '',
      'worker/tests/test_x.py': '',
      'tool/requirements.txt': 'requests\n',
    };
    expect(commandsFor(files, [])).toEqual([
      'python3 -m venv api/.venv',
      'api/.venv/bin/python -m pip install -e api[test]',
      'python3 -m venv tool/.venv',
      'tool/.venv/bin/python -m pip install -r tool/requirements.txt',
      'python3 -m venv worker/.venv',
      'worker/.venv/bin/python -m pip install -e worker pytest',
      '? sh -c cd api && .venv/bin/python -m pytest',
      '? sh -c cd worker && .venv/bin/python -m pytest',
    ]);
  });

  test('tables of tools alone are no project', () => {
    expect(commandsFor({ 'pyproject.toml': '[tool.black]\n', 'main.go': '' })).toEqual([]);
  });
});

test('no test counts whose packages nothing installs', () => {
  const files = {
    'api/Gemfile': '',
    'api/spec/a_spec.rb': '',
    'site/composer.json': '{"scripts":{"test":"phpunit"}}',
    'tool/go.mod': 'module x\n',
    'web/Gemfile': '',
    'web/Gemfile.lock': '',
    'web/spec/a_spec.rb': '',
  };
  expect(commandsFor(files)).toEqual([
    'bundle install --gemfile web/Gemfile',
    '? sh -c cd tool && go test ./...',
    '? sh -c cd web && bundle exec rspec',
  ]);
});

test.each<[string, Record<string, string>, string[]]>([
  ['Go', { 'go.mod': 'module x\n' }, ['? go test ./...']],
  ['Rust', { 'Cargo.toml': '[package]\nname = "x"\n' }, ['? cargo test']],
  ['Maven', { 'pom.xml': '<project/>', mvnw: '' }, ['? ./mvnw -B test']],
  ['Gradle', { 'build.gradle.kts': '', gradlew: '' }, ['? ./gradlew test']],
  ['Ruby', { Gemfile: '', 'Gemfile.lock': '', 'spec/a_spec.rb': '' }, ['bundle install', '? bundle exec rspec']],
  ['a Rakefile', { Gemfile: '', Rakefile: 'Rake::TestTask.new\n' }, ['bundle install', '? bundle exec rake test']],
  [
    'PHP',
    { 'composer.json': '{"scripts":{"test":"phpunit"}}', 'composer.lock': '' },
    ['composer install --no-interaction', '? composer run-script test'],
  ],
  ['a Makefile', { Makefile: 'test:\n\tprove -r t\n' }, ['? make test']],
  ['no project', { 'README.md': '```sh\nmake test\n```\n' }, []],
])('%s', (_, files, commands) => {
  expect(commandsFor(files)).toEqual(commands);
});

test('a repository of several languages is set up for each, and the test of its root counts', () => {
  const files = {
    'package.json': NPM,
    'package-lock.json': '',
    'backend/pyproject.toml': PYTEST,
    'backend/uv.lock': '',
    Makefile: 'test:\n\tnpm test\n',
  };
  expect(commandsFor(files)).toEqual(['npm ci', 'uv sync --directory backend --frozen --extra test', '? npm test']);
});

test('says from which files it guesses', () => {
  const { layer } = guess({ 'package.json': NPM, 'package-lock.json': '' });
  expect(layer.whyOf?.(['worktree', 'setup'])).toBe('package-lock.json');
  expect(layer.whyOf?.(['verify'])).toBe('package.json:1');
  expect(layer.settings.worktree?.again).toEqual(['package-lock.json']);
  expect(layer.settings.template).toBe('quick-change');
});

test('guesses nothing that the policy refuses', () => {
  const input = { paths: new Set(['package.json', 'package-lock.json']), facts: [], workspaces: [], has: () => true };
  const texts = new Map([['package.json', NPM]]);
  const refuse = () => ({ allowed: false, rule: null, reason: 'no' });
  expect(guessSettings({ ...input, texts }, refuse).layer.settings).toEqual({ template: 'quick-change' });
});

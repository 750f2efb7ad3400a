import { describe, expect, test } from 'vitest';
import { gaps, readRepository, shortFacts } from '../readRepository.ts';

const CI = `name: CI
on: [push, pull_request]
env:
  FORCE_COLOR: 0
  TOKEN: \${{ secrets.TOKEN }}
jobs:
  check:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        node: [20, 22]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: \${{ matrix.node }}
      - run: npm ci && npm run lint
      - name: Tests
        working-directory: web
        env:
          TZ: UTC
        run: |
          # slow ones too
          npm run test:all
          cd ../api
          pytest -k "not slow"
      - run: npm run build -- --node \${{ matrix.node }}
      - if: github.event_name == 'push'
        run: npm run e2e
      - run: npx vitest run | tee log.txt
      - run: ./scripts/publish.sh
      - uses: codecov/codecov-action@v4
  windows:
    runs-on: windows-latest
    steps:
      - run: npm test
  shared:
    uses: ./.github/workflows/shared.yml
`;
const FILES = { '.github/workflows/ci.yml': CI, 'web/index.ts': '', 'api/main.py': '' };

describe('a workflow of GitHub Actions', () => {
  test('gives the commands of its steps, each with its line, directory and variables', () => {
    expect(shortFacts(FILES)).toEqual([
      '1 install .: env FORCE_COLOR=0 npm ci (.github/workflows/ci.yml:17)',
      '1 lint .: env FORCE_COLOR=0 npm run lint (.github/workflows/ci.yml:17)',
      '1 test web: env FORCE_COLOR=0 TZ=UTC npm run test:all (.github/workflows/ci.yml:24)',
      '1 test api: env FORCE_COLOR=0 TZ=UTC pytest -k not slow (.github/workflows/ci.yml:26)',
      '1 build .: env FORCE_COLOR=0 npm run build -- --node 20 (.github/workflows/ci.yml:27)',
      '1 build .: env FORCE_COLOR=0 npm run build -- --node 22 (.github/workflows/ci.yml:27)',
      '1 test .: env FORCE_COLOR=0 npm run e2e (.github/workflows/ci.yml:29)',
      '1 test .: env FORCE_COLOR=0 sh -c npx vitest run | tee log.txt (.github/workflows/ci.yml:30)',
    ]);
  });

  test('names what it leaves out', () => {
    const path = '.github/workflows/ci.yml';
    expect(gaps(FILES)).toEqual([
      `${path}: line 7: the job check runs in a matrix (node): devflow runs it once, here`,
      `${path}: line 29: "npm run e2e" has a condition: devflow reads it as if it held`,
      `${path}: line 31: "./scripts/publish.sh": devflow does not know what it is for`,
      `${path}: line 32: the action codecov/codecov-action@v4 is no command`,
      `${path}: line 33: the job windows runs on windows-latest`,
      `${path}: line 37: the job shared runs another workflow`,
    ]);
  });

  test('may have a folded script, whose command stands on several lines', () => {
    const text = 'jobs:\n  a:\n    steps:\n      - run: >-\n          pytest -q\n          --maxfail=1\n';
    const [fact] = readRepository({ '.github/workflows/a.yaml': text }).facts;
    expect(fact).toMatchObject({ argv: ['pytest', '-q', '--maxfail=1'], from: { line: 4 } });
  });

  test('may leave the repository with cd, and is not followed there', () => {
    const text = 'jobs:\n  a:\n    steps:\n      - run: cd ../.. && npm test\n';
    const files = { '.github/workflows/a.yml': text };
    expect(shortFacts(files)).toEqual([]);
    expect(gaps(files)).toEqual(['.github/workflows/a.yml: line 4: "npm test": devflow does not know the directory']);
  });

  test('may pipe into a destructive command, which is a gap', () => {
    const text = 'jobs:\n  a:\n    steps:\n      - run: npm test || git clean -fdx\n';
    const files = { '.github/workflows/a.yml': text };
    expect(shortFacts(files)).toEqual([]);
    expect(gaps(files)).toEqual([
      expect.stringMatching(/^\.github\/workflows\/a\.yml: line 4: .*it has \|\|, and the policy refuses it/),
    ]);
  });
});

/** The commands of CI and the gaps of one job; `keys` are those of the job beside its steps. */
function ofJob(keys: string[], steps: string[], files: Record<string, string> = {}) {
  const text = [
    'jobs:',
    '  a:',
    ...keys.map((key) => `    ${key}`),
    '    steps:',
    ...steps.map((step) => `      ${step}`),
  ];
  const all = { '.github/workflows/a.yml': text.join('\n'), ...files };
  const ofCi = (line: string) => line.includes('a.yml');
  return {
    facts: shortFacts(all).flatMap((line) => (ofCi(line) ? [line.replace(/ \(.*\)$/, '')] : [])),
    gaps: gaps(all).flatMap((line) => (ofCi(line) ? [line.replace(/^\S+ line \d+: /, '')] : [])),
  };
}

describe('the matrix of a job', () => {
  test('fills commands, directories and variables, once for each value that they name', () => {
    const keys = [
      `runs-on: \${{ matrix.os }}`,
      'strategy: {matrix: {os: [windows-2022, ubuntu-latest], suite: [unit, e2e]}}',
    ];
    const steps = [
      `- run: npm run test:\${{ matrix.suite }}`,
      '- run: npm run lint',
      `- {run: pytest, working-directory: "pkg/\${{ matrix.suite }}"}`,
    ];
    const files = { 'pkg/unit/a.py': '', 'pkg/e2e/a.py': '' };
    expect(ofJob(keys, steps, files).facts).toEqual([
      '1 test .: npm run test:unit',
      '1 test .: npm run test:e2e',
      '1 lint .: npm run lint',
      '1 test pkg/unit: pytest',
      '1 test pkg/e2e: pytest',
    ]);
  });

  test('may list its combinations', () => {
    const keys = ['strategy: {matrix: {include: [{env: lint, os: {name: linux}}, {env: py312}]}}'];
    const steps = [`- {run: "tox -e \${{ matrix.env }}", env: {OS: "\${{ matrix.os.name }}"}}`];
    expect(ofJob(keys, steps).facts).toEqual(['1 lint .: env OS=linux tox -e lint', '1 test .: env OS= tox -e py312']);
  });

  test('is not guessed where the service makes it', () => {
    const said = ofJob(
      [`strategy: {matrix: "\${{ fromJSON(needs.x.outputs.all) }}"}`],
      [`- run: tox -e \${{ matrix.env }}`],
    );
    expect(said.facts).toEqual([]);
    expect(said.gaps).toEqual([`"tox -e \${{ matrix.env }}" has an expression of the service`]);
  });
});

describe('a condition', () => {
  test.each([
    [
      "github.event_name == 'push'",
      'has the condition "github.event_name == \'push\'": devflow reads it as if it held',
    ],
    [`\${{ github.repository == 'a/b' && !cancelled() }}`, expect.stringContaining('as if it held')],
  ])('of a job that only the service knows is no reason to leave it out: %s', (condition, gap) => {
    const said = ofJob([`if: ${JSON.stringify(condition)}`], ['- run: npm test']);
    expect(said.facts).toEqual(['1 test .: npm test']);
    expect(said.gaps).toEqual([typeof gap === 'string' ? `the job a ${gap}` : gap]);
  });

  test.each(["runner.os == 'Windows'", 'failure()', "matrix.os == 'macos'", 'false', "failure() && github.ref == 'x'"])(
    'that does not hold here is: %s',
    (condition) => {
      const matrix = 'strategy: {matrix: {os: [ubuntu]}}';
      expect(ofJob([matrix, `if: ${JSON.stringify(condition)}`], ['- run: npm test']).facts).toEqual([]);
      expect(ofJob([matrix], [`- {if: ${JSON.stringify(condition)}, run: npm test}`]).facts).toEqual([]);
    },
  );

  test.each(["runner.os == 'Linux'", 'always()', "matrix.os != 'macos'"])(
    'that holds here is no gap: %s',
    (condition) => {
      const matrix = 'strategy: {matrix: {os: [ubuntu]}}';
      expect(ofJob([matrix], [`- {if: ${JSON.stringify(condition)}, run: npm test}`])).toMatchObject({
        facts: ['1 test .: npm test'],
        gaps: [expect.stringContaining('runs in a matrix')],
      });
    },
  );
});

describe('a command of CI', () => {
  const FILES = {
    Makefile:
      'ci: lint unit\nlint:\n\truff check .\nunit:\n\tpytest\nrelease: unit\n\t./upload\nstyle:\n\truff check .\n',
    'package.json': '{"scripts": {"ci": "eslint . && vitest run"}}',
    'scripts/everything.sh': 'set -e\ncargo clippy\ncargo test\n',
    'tests/a.py': '',
  };
  test.each([
    ['make ci', 'test .: make ci'],
    ['make style', 'lint .: make style'],
    ['npm run ci', 'test .: npm run ci'],
    ['./scripts/everything.sh', 'test .: ./scripts/everything.sh'],
    ['bash scripts/everything.sh', 'test .: bash scripts/everything.sh'],
    ['$HOME/.cargo/bin/cargo test', 'test .: cargo test'],
    ['"$HOME/.local/bin/poetry" run pytest', 'test .: poetry run pytest'],
    ['~/.local/bin/uv run pytest', 'test .: uv run pytest'],
    ['cargo test --target-dir $HOME/target', 'test .: sh -c cargo test --target-dir $HOME/target'],
    ['pytest "$GITHUB_WORKSPACE/tests"', 'test .: pytest ./tests'],
    ['cd "$GITHUB_WORKSPACE/tests" && pytest', 'test tests: pytest'],
    ['cd tests; cd $GITHUB_WORKSPACE; pytest', 'test .: pytest'],
    [`cd \${{ github.workspace }}/tests && pytest`, 'test tests: pytest'],
  ])('is known by what it runs: %s', (command, fact) => {
    expect(ofJob([], [`- run: ${JSON.stringify(command)}`], FILES).facts).toEqual([`1 ${fact}`]);
  });

  test.each(['make release', 'cd $HOME/x && npm test', 'make nothing', './scripts/upload.sh'])(
    'is left out in doubt: %s',
    (command) => {
      const said = ofJob([], [`- run: ${JSON.stringify(command)}`], FILES);
      expect(said.facts).toEqual([]);
      expect(said.gaps).not.toEqual([]);
    },
  );

  test('is a fact of the manifest too, if its name says that it gathers checks', () => {
    const { Makefile, 'package.json': manifest } = FILES;
    const facts = shortFacts({ Makefile, 'package.json': manifest });
    expect(facts).toContain('3 test .: make ci (Makefile:1)');
    expect(facts).toContain('3 test .: npm run ci (package.json:1)');
  });
});

test('a pipeline of GitLab gives the scripts of its jobs', () => {
  const text = `include:
  - local: /ci/shared.yml
variables:
  PIP_CACHE_DIR: "$CI_PROJECT_DIR/.cache"
  DB: sqlite
before_script:
  - pip install -r requirements.txt
.base:
  image: python:3.12
test:
  script:
    - pytest tests
lint:
  extends: .base
  script: ruff check .
deploy:
  when: manual
  script: [./deploy.sh]
`;
  const files = { '.gitlab-ci.yml': text };
  expect(shortFacts(files)).toEqual([
    '1 install .: env DB=sqlite pip install -r requirements.txt (.gitlab-ci.yml:7)',
    '1 test .: env DB=sqlite pytest tests (.gitlab-ci.yml:12)',
  ]);
  expect(gaps(files)).toEqual([
    '.gitlab-ci.yml: line 1: devflow does not read included files',
    '.gitlab-ci.yml: line 13: the job lint extends another one, which devflow does not follow',
    '.gitlab-ci.yml: line 16: the job deploy does not run by itself',
  ]);
});

describe('a document', () => {
  test('gives hints from its shell blocks, without output and other languages', () => {
    const text = [
      '# Shop',
      '```console',
      '$ npm install',
      'added 3 packages',
      '$ npm run tests',
      '```',
      '```ts',
      'npm test',
      '```',
      '```sh',
      'curl https://example.org | sh',
      'make check',
      '```',
    ].join('\n');
    expect(shortFacts({ 'README.md': text, 'docs/README.md': text })).toEqual([
      '4 install .: npm install (README.md:3)',
      '4 test .: npm run tests (README.md:5)',
      '4 test .: make check (README.md:12)',
    ]);
  });

  test.each([
    ['> cd fd/tests', '> fd'],
    ['> fd tests', 'README.md', 'tests/a'],
    ['pytest <path>', 'make test [options]', 'npm test -- ...'],
    ['./build/tests --all'],
    ['make test | less'],
  ])('gives no command for %s %s', (...lines) => {
    expect(shortFacts({ 'README.md': ['```sh', ...lines, '```'].join('\n') })).toEqual([]);
  });

  test('may have > as its prompt, and scripts of the repository', () => {
    const text = ['```', '```', '```console', '> npm test', 'ok', '> ./check.sh', '```'].join('\n');
    expect(shortFacts({ 'README.md': text, 'check.sh': '' })).toEqual([
      '4 test .: npm test (README.md:4)',
      '4 test .: ./check.sh (README.md:6)',
    ]);
  });
});

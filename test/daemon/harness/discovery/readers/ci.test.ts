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
      '1 test .: env FORCE_COLOR=0 sh -c npx vitest run | tee log.txt (.github/workflows/ci.yml:30)',
    ]);
  });

  test('names what it leaves out', () => {
    const path = '.github/workflows/ci.yml';
    expect(gaps(FILES)).toEqual([
      `${path}: line 7: the job check runs in a matrix (node): devflow runs it once, here`,
      `${path}: line 27: "npm run build -- --node \${{ matrix.node }}" has an expression of the service`,
      `${path}: line 29: "npm run e2e" has a condition`,
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
});

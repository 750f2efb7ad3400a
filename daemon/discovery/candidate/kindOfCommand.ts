import type { FactKind } from '../../../schemas/repoFacts.ts';
import { kindOfName } from './kindOfName.ts';
import { innerCommand } from './wrappers.ts';

/** The kind of a command, by its words or by the texts of the repository that run with it. */
export type KindOf = (argv: readonly string[], cwd: string) => FactKind | undefined;

type Rule = FactKind | ((words: readonly string[]) => FactKind | undefined);

/** A first operand, such as a subcommand, and what it makes of the program. `*` is any other one. */
function by(table: Record<string, FactKind>): Rule {
  return (words) => {
    const [first = ''] = operands(words);
    return Object.hasOwn(table, first) ? table[first] : table['*'];
  };
}

/** The rest of the build runs all the same. */
const SKIPS_TESTS = (word: string) => /^-D(?:skipTests|maven\.test\.skip)(?:=true)?$/.test(word);
const MAVEN: Rule = (words) => {
  const goals = operands(words);
  if (goals.some((goal) => /^(?:install|deploy|dependency:.*|release:.*)$/.test(goal))) return 'install';
  if (goals.some((goal) => /(?:checkstyle|spotbugs|pmd|spotless):/.test(goal))) return 'lint';
  if (goals.includes('test')) return 'test';
  if (goals.some((goal) => /^(?:verify|integration-test)$/.test(goal)))
    return words.some(SKIPS_TESTS) ? 'build' : 'test';
  return goals.some((goal) => /^(?:compile|package|test-compile)$/.test(goal)) ? 'build' : undefined;
};
const GRADLE: Rule = (words) => {
  const tasks = operands(words).map((task) => task.slice(task.lastIndexOf(':') + 1));
  const kinds = tasks.map((task) => (task === 'assemble' || task === 'classes' ? 'build' : kindOfName(task)));
  return kinds.includes('test') ? 'test' : kinds.find((kind) => kind !== undefined);
};
const TARGETS: Rule = (words) => {
  const targets = operands(words).filter((word) => !word.includes('='));
  if (targets.length === 0) return 'build';
  const kinds = targets.map(kindOfName);
  return kinds.includes('test') ? 'test' : kinds.find((kind) => kind !== undefined);
};
const ENVIRONMENTS: Rule = (words) => {
  const at = words.findIndex((word) => /^(?:-e|-s|--session|--sessions)$/.test(word));
  return (at < 0 ? undefined : kindOfName(words[at + 1] ?? '')) ?? 'test';
};
const PACKAGE_MANAGER: Rule = (words) => {
  const [first, ...rest] = operands(words).filter((word) => !/^(?:run|run-script|workspaces|foreach)$/.test(word));
  if (first === undefined) return words.includes('run') ? undefined : 'install';
  // A script may have the name of a subcommand, such as `npm run ci`.
  if (words.includes('run') || words.includes('run-script')) return kindOfName(first);
  if (first === 'workspace') return kindOfName(rest[1] ?? '');
  if (/^(?:ci|i|install|add|link|rebuild|clean-install|install-ci-test|update|dedupe|fetch)$/.test(first))
    return 'install';
  return kindOfName(first === 't' || first === 'tst' ? 'test' : first);
};
const SYSTEM_PACKAGES = by({ install: 'install', add: 'install', update: 'install', upgrade: 'install' });
const RUN_NAMED: Rule = (words) =>
  operands(words)
    .filter((word) => !/^(?:run|run-many|affected)$/.test(word))
    .map((word) => kindOfName(word.slice(word.lastIndexOf(':') + 1)))
    .find((kind) => kind !== undefined);

const RULES: Readonly<Record<string, Rule>> = {
  npm: PACKAGE_MANAGER,
  pnpm: PACKAGE_MANAGER,
  yarn: PACKAGE_MANAGER,
  bun: (words) => (words[0] === 'build' ? 'build' : words.length === 0 ? undefined : asRule(PACKAGE_MANAGER, words)),
  make: TARGETS,
  gmake: TARGETS,
  just: TARGETS,
  task: TARGETS,
  rake: TARGETS,
  mage: TARGETS,
  invoke: RUN_NAMED,
  turbo: RUN_NAMED,
  nx: RUN_NAMED,
  lerna: RUN_NAMED,
  tox: ENVIRONMENTS,
  nox: ENVIRONMENTS,
  mvn: MAVEN,
  mvnw: MAVEN,
  gradle: GRADLE,
  gradlew: GRADLE,
  go: (words) => {
    const kind = asRule(
      by({
        test: 'test',
        vet: 'lint',
        build: 'build',
        fmt: 'format',
        mod: 'install',
        get: 'install',
        install: 'install',
      }),
      words,
    );
    return kind === 'test' && words.some((word) => /^-bench\b/.test(word)) ? 'bench' : kind;
  },
  cargo: by({
    test: 'test',
    nextest: 'test',
    build: 'build',
    check: 'typecheck',
    clippy: 'lint',
    fmt: 'format',
    bench: 'bench',
    install: 'install',
    fetch: 'install',
    doc: 'build',
  }),
  ...Object.fromEntries(
    ['apt', 'apt-get', 'apk', 'brew', 'dnf', 'yum', 'conda', 'mamba'].map((name) => [name, SYSTEM_PACKAGES]),
  ),
  pip: by({ install: 'install', sync: 'install', download: 'install' }),
  pip3: by({ install: 'install', sync: 'install', download: 'install' }),
  uv: by({
    sync: 'install',
    pip: 'install',
    venv: 'install',
    lock: 'install',
    tool: 'install',
    python: 'install',
    build: 'build',
  }),
  poetry: by({ install: 'install', add: 'install', lock: 'install', sync: 'install', build: 'build' }),
  pdm: by({ install: 'install', sync: 'install', build: 'build' }),
  pipenv: by({ install: 'install', sync: 'install' }),
  hatch: by({ test: 'test', fmt: 'format', build: 'build' }),
  gem: by({ install: 'install' }),
  bundle: by({ install: 'install' }),
  composer: by({ install: 'install' }),
  rustup: 'install',
  corepack: 'install',
  'pip-sync': 'install',
  'pre-commit': by({ run: 'lint', install: 'install' }),
  playwright: by({ test: 'test', install: 'install' }),
  cypress: by({ run: 'test', install: 'install' }),
  ...Object.fromEntries(
    'pytest py.test jest vitest mocha ava tap karma unittest rspec phpunit ctest bats nosetests trial'
      .split(' ')
      .map((name) => [name, 'test' as const]),
  ),
  ...Object.fromEntries(
    'eslint oxlint xo standard stylelint flake8 pylint golangci-lint staticcheck shellcheck hadolint yamllint markdownlint markdownlint-cli2 codespell bandit rubocop ktlint actionlint knip'
      .split(' ')
      .map((name) => [name, 'lint' as const]),
  ),
  ...Object.fromEntries(
    'prettier black isort gofmt gofumpt goimports rustfmt clang-format dprint yapf'
      .split(' ')
      .map((name) => [name, 'format' as const]),
  ),
  ...Object.fromEntries(
    'mypy pyright basedpyright vue-tsc ty pytype'.split(' ').map((name) => [name, 'typecheck' as const]),
  ),
  ...Object.fromEntries(
    'webpack rollup esbuild tsup tsdown ninja meson build'.split(' ').map((name) => [name, 'build' as const]),
  ),
  ruff: by({ format: 'format', check: 'lint', '*': 'lint' }),
  biome: by({ format: 'format', check: 'lint', lint: 'lint', ci: 'lint' }),
  tsc: (words) => (words.some((word) => /^--?noEmit$/i.test(word)) ? 'typecheck' : 'build'),
  vite: by({ build: 'build' }),
  next: by({ build: 'build', lint: 'lint' }),
  cmake: (words) => (words.includes('--build') ? 'build' : undefined),
  deno: by({ test: 'test', lint: 'lint', fmt: 'format', check: 'typecheck', bench: 'bench' }),
  dotnet: by({ test: 'test', build: 'build', restore: 'install', format: 'format' }),
  swift: by({ test: 'test', build: 'build' }),
  flutter: by({ test: 'test', analyze: 'lint', build: 'build' }),
  mix: by({ test: 'test', 'deps.get': 'install', compile: 'build', format: 'format' }),
  sbt: by({ test: 'test', compile: 'build' }),
  freqtrade: by({ backtesting: 'backtest' }),
  hyperfine: 'bench',
  asv: 'bench',
  node: (words) => (words.includes('--test') ? 'test' : undefined),
};

/** Values of these options are no operands. */
const VALUED =
  /^(?:-C|-F|-f|-p|-w|--prefix|--filter|--cwd|--workspace|--dir|--directory|--project|--manifest-path|-j|-e)$/;

function operands(words: readonly string[]): string[] {
  return words.filter((word, at) => !/^[-+]/.test(word) && !VALUED.test(words[at - 1] ?? ''));
}

function asRule(rule: Rule, words: readonly string[]): FactKind | undefined {
  return typeof rule === 'function' ? rule(words) : rule;
}

/** The kind of a command; undefined if devflow does not know it, or if it checks nothing. */
export function kindOfCommand(argv: readonly string[]): FactKind | undefined {
  const [program = '', ...words] = innerCommand(argv);
  if (words.includes('--watch') || words.includes('--fix') || words.includes('--write')) return undefined;
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/\.(?:[cm]?js|exe|bat|cmd)$/, '');
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  if (rule !== undefined) return asRule(rule, words);
  // A script of the repository: its name is all that is known.
  const script = /^(?:node|tsx|ts-node|python\d?|python3\.\d+|bash|sh|php|ruby|perl|Rscript)$/.test(name)
    ? words.find((word) => !word.startsWith('-'))
    : program;
  return script?.includes('/') || /\.\w+$/.test(script ?? '') ? kindOfName(baseName(script ?? '')) : undefined;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
}

/** A script that tests is a test, whatever else it does. */
export function bestKind(kinds: readonly (FactKind | undefined)[]): FactKind | undefined {
  if (kinds.includes('test')) return 'test';
  return kinds.find((kind) => kind !== undefined && kind !== 'install') ?? kinds.find((kind) => kind !== undefined);
}

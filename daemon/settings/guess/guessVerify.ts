import { RANKS } from '../../../schemas/repoFacts.ts';
import { shellWord } from '../../../schemas/text/visible.ts';
import { nameOf } from '../../discovery/candidate/paths.ts';
import type { RankedFact } from '../../discovery/rankFacts.ts';
import { hasPackages } from './guessInstalls.ts';
import type { GuessInput, PlacedInstall } from './install.ts';
import { programOf } from './nodeInstall.ts';
import { hasTests } from './pythonInstall.ts';

/** A command that tests the repository, and the line that says so. */
export interface GuessedCheck {
  argv: string[];
  because: string;
}

const MOST_CHECKS = 3;
const MOST_DIRECTORIES = 4;

/** The files whose suites count, the best first. A Makefile rather calls the others. */
const FILES = [
  /^package\.json$/,
  /^(?:pyproject\.toml|setup\.cfg|pytest\.ini|tox\.ini|.*requirements.*\.txt)$/,
  /^(?:go\.mod|Cargo\.toml|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?)$/,
  /^(?:Gemfile|Rakefile)$/,
  /^composer\.json$/,
];

/** The commands that test a repository: of each of its languages the one that its developers would type. Pure. */
export function guessVerify(input: GuessInput, installs: readonly PlacedInstall[]): GuessedCheck[] {
  const tests = input.facts.filter(({ kind, rank }) => kind === 'test' && rank < RANKS.doc);
  const environments = installs.filter(({ programs }) => programs !== undefined).map(({ directory }) => directory);
  const inRoot = checksIn('.', tests, input, { python: environments.includes('.') });
  if (inRoot.length > 0) return inRoot;
  const ready = tests.filter(({ cwd, from }) => hasPackages(cwd, from.path, installs, input));
  const directories = [...new Set([...ready.map(({ cwd }) => cwd), ...environments])].sort().slice(0, MOST_DIRECTORIES);
  return directories.flatMap((directory) => {
    const isOwn = environments.includes(directory);
    return checksIn(directory, ready, input, { python: isOwn })
      .slice(0, 1)
      .map((check) => inDirectory(isOwn ? inEnvironment(check) : check, directory));
  });
}

function checksIn(
  directory: string,
  tests: readonly RankedFact[],
  input: GuessInput,
  { python }: { python: boolean },
): GuessedCheck[] {
  const here = tests.filter(({ cwd }) => cwd === directory);
  const hasPytest = python && hasTests(directory, input);
  const ofManifests = here.filter(
    ({ source, argv }) => source === 'manifest' && !(hasPytest && makesEnvironments(argv)),
  );
  const checks = FILES.flatMap((file) => {
    const best = ofManifests
      .filter(({ from }) => file.test(nameOf(from.path)))
      .sort((a, b) => costOf(a) - costOf(b))[0];
    return best ? [checkOf(best, input)] : [];
  });
  if (checks.length > 0) return checks.slice(0, MOST_CHECKS);
  if (hasPytest) return [{ argv: ['python', '-m', 'pytest'], because: 'test_*.py' }];
  const [made] = ofManifests.sort((a, b) => costOf(a) - costOf(b));
  const ofCi = here.find(({ source, argv }) => source === 'ci' && argv[0] !== 'sh');
  const found = made ?? ofCi;
  return found ? [checkOf(found, input)] : [];
}

/** tox and nox make environments of their own, with every Python that the project supports. That takes long. */
function makesEnvironments([program]: readonly string[]): boolean {
  return program === 'tox' || program === 'nox';
}

/** `test` itself is the usual suite. */
function costOf({ argv }: RankedFact): number {
  const last = argv.at(-1) ?? '';
  if (makesEnvironments(argv)) return 9;
  if (/^(?:test|pytest|\.\/\.\.\.)$/.test(last) || argv.includes('test')) return 0;
  if (/^(?:tests|spec|rspec|unit|test:unit|unit-tests?|vendor\/bin\/phpunit)$/.test(last)) return 1;
  return /e2e|integration|coverage|watch|check/.test(last) ? 5 : 2;
}

/** The command with a program that this machine has. */
function checkOf({ argv, from }: RankedFact, input: GuessInput): GuessedCheck {
  const [program = '', verb, ...rest] = argv;
  const because = `${from.path}:${from.line}`;
  if (/^(?:pnpm|yarn)$/.test(program)) return { argv: [...programOf(program, input), ...argv.slice(1)], because };
  const isMissing = /^(?:uv|poetry|pdm)$/.test(program) && verb === 'run' && !input.has(program);
  return { argv: isMissing ? ['python', '-m', ...rest] : argv, because };
}

/** Several projects can have environments, and `PATH` begins with that of another one. */
function inEnvironment({ argv: [program = '', ...words], because }: GuessedCheck): GuessedCheck {
  const isOfPython = program === 'python' || program === 'pytest';
  return { argv: [isOfPython ? `.venv/bin/${program}` : program, ...words], because };
}

/** A command has no directory of its own, so a shell changes it. */
function inDirectory({ argv, because }: GuessedCheck, directory: string): GuessedCheck {
  if (argv[0] === 'npm') return { argv: ['npm', '--prefix', directory, ...argv.slice(1)], because };
  return { argv: ['sh', '-c', `cd ${shellWord(directory)} && ${argv.map(shellWord).join(' ')}`], because };
}

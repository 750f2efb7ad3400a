import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { memoryDirectory } from './test/helpers/memoryDirectory.ts';
import { SlowestFirst } from './test/helpers/slowestFirst.ts';

/** Temporary files are in memory, unless TMPDIR is set. The directory goes at the end, with what killed processes left. */
const memory = process.env.TMPDIR ? undefined : memoryDirectory();
if (memory) {
  const scratch = mkdtempSync(join(memory, 'dft-'));
  // As /tmp itself is: the database server of root runs as another user, who must pass through.
  chmodSync(scratch, 0o1777);
  process.env.TMPDIR = scratch;
  if (!process.env.DEVFLOW_TEST_KEEP)
    process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
}

const shared = {
  environment: 'node' as const,
  restoreMocks: true,
  // Vitest's own second is too short on a busy machine.
  expect: { poll: { timeout: 60_000, interval: 10 } },
};

/** Tests with real processes. The limits only end a test that hangs; none of them is expected to be reached under load. */
const withProcesses = {
  ...shared,
  // To start a process takes the longer, the more memory the worker has; the defaults let garbage pile up.
  execArgv: ['--max-semi-space-size=1', '--initial-old-space-size=16'],
  hookTimeout: 120_000,
  globalSetup: ['test/helpers/globalBuild.ts', 'test/helpers/globalPostgres.ts', 'test/helpers/globalTemporal.ts'],
};

const withInt = { ...withProcesses, testTimeout: 120_000, globalSetup: ['test/helpers/globalPostgres.ts'] };
/** They start so many processes that a worker with the memory of earlier files would be slower than a new one. */
const ALONE = [
  'test/daemon/{artifacts,commands,discovery,measure,policy,repository}/**/*.int.test.ts',
  'test/daemon/sessions/tmux/**/*.int.test.ts',
];

/** Run by `npm run test:agents` once it has found the real programs; no other run has this project. */
const agents = {
  test: { ...withProcesses, name: 'agents', include: ['test/agents/**/*.agents.test.ts'], testTimeout: 240_000 },
};

/** The tests that show how versions differ, with the oldest Claude Code that devflow supports. */
const agentsOldest = {
  test: {
    ...agents.test,
    name: 'agents-oldest',
    include: ['test/agents/{comments,delivery,dialogs,permissions,rights,turnEnd}.agents.test.ts'],
    env: { DEVFLOW_TEST_PROGRAM: 'claude', DEVFLOW_TEST_CLAUDE: process.env.DEVFLOW_TEST_CLAUDE_OLDEST ?? '' },
  },
};

/** Run by `npm run test:shells`; any other run would fail on a machine without zsh or fish. */
const shells = {
  test: {
    ...withProcesses,
    name: 'shells',
    include: ['test/shells/**/*.shells.test.ts'],
    testTimeout: 240_000,
    fileParallelism: false,
  },
};

/** Whole runs that take long, that meet every hostile repository, or that are killed again and again, as prompts and set-ups are. */
const LONG = [
  'test/e2e/{kills,long}/*.e2e.test.ts',
  'test/daemon/sessions/tmux/deliver/torture.int.test.ts',
  'test/daemon/setup/killed.int.test.ts',
];

/** Run by `npm run test:long`. They take half as long as all other tests. */
const long = {
  test: {
    ...withProcesses,
    name: 'long',
    include: [...LONG, 'test/daemon/core/everyState.test.ts'],
    isolate: false,
    testTimeout: 600_000,
  },
};

/** Run by `npm run test:tools` once pip has brought the Python packages, whose directory is in the variable. */
const tools = {
  test: { ...withProcesses, name: 'tools', include: ['test/tools/**/*.tools.test.ts'], testTimeout: 120_000 },
};

/** Run by `npm run test:repositories` once it has public projects and their tools. The variable names the file about them. */
const repositories = {
  test: {
    ...withProcesses,
    name: 'repositories',
    include: ['test/repositories/**/*.repositories.test.ts'],
    // Downloads and gates leave a processor idle; more at once would measure each other.
    maxConcurrency: 2,
    testTimeout: 1_800_000,
  },
};

/** The suites that run on both engines, from the same files. */
const ON_BOTH_ENGINES = [
  'kills/crash',
  'scenarios',
  'kills/survival',
  'long/stalls',
  'concurrency',
  'restore',
  'applied',
  'messages',
];

/** Run by `npm run test:temporal`, which brings a Temporal server and its packages. Their directory is in the variable. */
const temporal = {
  test: {
    ...withProcesses,
    name: 'temporal',
    include: ['test/**/*.temporal.test.ts', ...ON_BOTH_ENGINES.map((name) => `test/e2e/${name}.e2e.test.ts`)],
    env: { DEVFLOW_TEST_ENGINE: 'temporal' },
    testTimeout: 600_000,
  },
};

/** What runs only beside the SDK of Temporal, in that tier. */
const WITH_TEMPORAL = [
  'daemon/engine/temporal/{connect,engine,hostQuestions,loadSdk}.ts',
  'daemon/engine/temporal/{runtime,unknownRuns,workers,workflow,workflowBundle}.ts',
];

/** Random histories and whole walks. They take two thirds of a run that counts lines, and reach one in a hundred that examples do not. */
const WITHOUT_COVERAGE = [
  'test/daemon/**/any[A-Z]*.test.ts',
  'test/daemon/core/{everyState,longHistory}.test.ts',
  'test/daemon/core/objective/{noise,properties}.test.ts',
  'test/daemon/core/rehearse/{builtIn,leftOut}.test.ts',
];
const isCoverage = process.argv.includes('--coverage');

/** Percent of the lines of core, kinds, engine and sessions that their own tests run. */
const LEAST_COVERAGE = 92;

/** Three tiers: pure (seconds, no process), int (a real Postgres, git or tmux), e2e (a real daemon). No test is retried. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'pure',
          setupFiles: ['test/helpers/fixedSeed.ts'],
          include: ['test/**/*.test.ts'],
          exclude: [
            '**/*.{int,e2e,agents,shells,tools,temporal,repositories}.test.ts',
            ...(isCoverage ? WITHOUT_COVERAGE : []),
          ],
          // To import the sources again for each file took longer than the tests.
          isolate: false,
          // Node imports the sources itself: a sixth less processor time than with vite, whose modules are slower to call.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          testTimeout: 120_000,
        },
      },
      {
        test: {
          ...withInt,
          name: 'int',
          setupFiles: ['test/helpers/fixedSeed.ts'],
          include: ['test/**/*.int.test.ts'],
          exclude: [...ALONE, ...LONG],
          // As for the pure tests.
          isolate: false,
        },
      },
      {
        test: { ...withInt, name: 'int-alone', include: ALONE, exclude: LONG },
      },
      {
        test: {
          ...withProcesses,
          name: 'e2e',
          include: ['test/**/*.e2e.test.ts'],
          exclude: LONG,
          // As for the pure tests.
          isolate: false,
          testTimeout: 240_000,
        },
      },
      ...(process.env.DEVFLOW_TEST_CLAUDE ? [agents] : []),
      ...(process.env.DEVFLOW_TEST_CLAUDE_OLDEST ? [agentsOldest] : []),
      ...(process.env.DEVFLOW_TEST_LONG ? [long] : []),
      ...(process.env.DEVFLOW_TEST_SHELLS ? [shells] : []),
      ...(process.env.DEVFLOW_TEST_TOOLS ? [tools] : []),
      ...(process.env.DEVFLOW_TEST_TEMPORAL ? [temporal] : []),
      ...(process.env.DEVFLOW_TEST_REPOSITORIES ? [repositories] : []),
    ],
    // `npm run coverage`. Tests with a real daemon do not count: it is another process.
    coverage: {
      provider: 'v8',
      include: ['daemon/{core,kinds,engine,sessions}/**/*.ts'],
      exclude: WITH_TEMPORAL,
      reporter: ['text-summary'],
      reportsDirectory: join(process.env.TMPDIR ?? '/tmp', 'coverage'),
      thresholds: { lines: LEAST_COVERAGE },
    },
    // Two more than the cores of a small machine: many tests wait for processes. With three, a sixth of the time was idle.
    maxWorkers: 4,
    // The servers of all tests stop in this time.
    teardownTimeout: 60_000,
    sequence: { sequencer: SlowestFirst },
  },
});

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromPackages, reportsDirectory } from './packages.ts';

const reports = reportsDirectory();

/** The rules. Performers are edges: their tests need git, tmux or Postgres, and take seconds each. */
export const MUTATED = ['daemon/{core,kinds}/**/*.ts', '!daemon/kinds/*/performers/**'];

export default {
  mutate: MUTATED,
  testRunner: 'kept',
  plugins: [
    fromPackages('@stryker-mutator/vitest-runner/dist/src/index.js'),
    join(import.meta.dirname, 'keptRunner.ts'),
  ],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // A third of the mutants are in tables and schemas, which run at import. Each of them runs nearly all tests.
  ignoreStatic: true,
  // Node strips types, whatever they say; Stryker cannot read this version of TypeScript.
  disableTypeChecks: false,
  tsconfigFile: 'none',
  // What the tests of these rules never read.
  ignorePatterns: ['/cli', '/coverage', '/dist', '/docs', '/tui', '/test/{agents,bench,cli,e2e,schemas,scripted,tui}'],
  tempDirName: join(process.env.TMPDIR ?? tmpdir(), 'devflow-mutation'),
  incremental: true,
  incrementalFile: join(reports, 'incremental.json'),
  reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
  jsonReporter: { fileName: join(reports, 'report.json') },
  htmlReporter: { fileName: join(reports, 'report.html') },
  clearTextReporter: {
    allowColor: false,
    allowEmojis: false,
    logTests: false,
    reportTests: false,
  },
  concurrency: 1,
  // Stryker counts the hits of a mutant, and so ends nearly every endless loop. A busy machine must not end a test.
  timeoutMS: 120_000,
  dryRunTimeoutMinutes: 20,
  thresholds: { high: 85, low: 85, break: null },
};

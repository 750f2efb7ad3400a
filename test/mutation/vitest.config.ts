import { defineConfig } from 'vitest/config';

/** Each takes a second or more of a dry run, and a mutant that only they kill is better killed by an example. */
const SLOW = [
  'test/daemon/core/{anyHistory,everyState,longHistory}.test.ts',
  'test/daemon/core/exchange/anyDrift.test.ts',
  'test/daemon/core/objective/properties.test.ts',
  'test/daemon/core/rehearse/{builtIn,leftOut}.test.ts',
  'test/daemon/kinds/lanes/anyPlan.test.ts',
  'test/daemon/kinds/lanes/queue/anyQueue.test.ts',
  'test/daemon/kinds/review/anyReview.test.ts',
];

/** The pure tests of what is mutated. They run in one thread, which stays: see `keptRunner.ts`. */
export default defineConfig({
  test: {
    environment: 'node',
    setupFiles: ['test/helpers/fixedSeed.ts'],
    include: ['test/daemon/{api,core,kinds,store}/**/*.test.ts', 'test/daemon/report/{abandoned,causes}.test.ts'],
    exclude: ['**/*.{int,e2e,agents,shells,tools,temporal}.test.ts', ...SLOW],
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Stryker has its own limit, which ends a thread in an endless loop as well.
    testTimeout: 120_000,
  },
});

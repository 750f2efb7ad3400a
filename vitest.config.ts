import { defineConfig } from 'vitest/config';

/** In CI a test with real processes gets a second try, for machines that stand still now and then; the report names it. */
const retry = process.env.CI ? 1 : 0;

const shared = { environment: 'node' as const, restoreMocks: true };

/** The real programs: a project only where `npm run test:agents` has found them, so that no other run knows of it. */
const agents = {
  test: {
    ...shared,
    name: 'agents',
    retry,
    include: ['test/agents/**/*.agents.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    globalSetup: ['test/helpers/globalBuild.ts', 'test/helpers/globalPostgres.ts'],
  },
};

/** A project only for `npm run test:shells`: another run would fail on a machine without zsh or fish. */
const shells = {
  test: {
    ...shared,
    name: 'shells',
    retry,
    include: ['test/shells/**/*.shells.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    globalSetup: ['test/helpers/globalBuild.ts', 'test/helpers/globalPostgres.ts'],
    fileParallelism: false,
  },
};

/** Three tiers: pure (seconds, no process), int (a real Postgres, git or tmux), e2e (a real daemon). */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'pure',
          include: ['test/**/*.test.ts'],
          exclude: ['**/*.{int,e2e,agents,shells}.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'int',
          retry,
          include: ['test/**/*.int.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          globalSetup: ['test/helpers/globalPostgres.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          retry,
          include: ['test/**/*.e2e.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 60_000,
          globalSetup: ['test/helpers/globalBuild.ts', 'test/helpers/globalPostgres.ts'],
        },
      },
      ...(process.env.DEVFLOW_TEST_CLAUDE ? [agents] : []),
      ...(process.env.DEVFLOW_TEST_SHELLS ? [shells] : []),
    ],
    maxWorkers: 2,
  },
});

import { defineConfig } from 'vitest/config';

const shared = { environment: 'node' as const, restoreMocks: true };

/** Three tiers: pure (seconds, no process), int (a real Postgres, git or tmux), e2e (a real daemon). */
export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'pure', include: ['test/**/*.test.ts'], exclude: ['**/*.{int,e2e}.test.ts'] } },
      {
        test: {
          ...shared,
          name: 'int',
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
          include: ['test/**/*.e2e.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 60_000,
          globalSetup: ['test/helpers/globalBuild.ts', 'test/helpers/globalPostgres.ts'],
          // Each file runs several daemons at once already.
          fileParallelism: false,
        },
      },
    ],
    maxWorkers: 2,
  },
});

/** How long a test waits for what must come: five times as long on Temporal, whose daemons start slower on a busy machine. */
export const PATIENCE_MS = process.env.DEVFLOW_TEST_ENGINE === 'temporal' ? 300_000 : 60_000;

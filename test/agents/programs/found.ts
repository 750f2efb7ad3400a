/** Where `run.ts` has found the programs; the suite does not exist without it. */
export const BINARIES = {
  claude: process.env.DEVFLOW_TEST_CLAUDE ?? 'claude',
  codex: process.env.DEVFLOW_TEST_CODEX ?? 'codex',
};

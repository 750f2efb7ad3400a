import type { Database } from '../db/open.ts';
import { commands } from '../db/schema/index.ts';

/** A call of git as its row has it. */
export interface GitCommandRow {
  runId: string;
  phaseId: string | null;
  argv: string[];
  cwd: string;
  exitCode: number | null;
  startedAt: Date;
  endedAt: Date;
}

export interface GitCommands {
  /** All in one statement. */
  add(rows: readonly GitCommandRow[]): Promise<void>;
}

/** What devflow's own git did for runs. Its rows have no output files: by that `run verify` tells them from a phase's commands. */
export function createGitCommands(db: Database['drizzle']): GitCommands {
  return {
    async add(rows) {
      await db.insert(commands).values(rows.map((row) => ({ ...row, kind: 'git' as const, stdoutPath: null })));
    },
  };
}

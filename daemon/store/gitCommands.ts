import type { Database } from '../db/database.ts';
import { commands } from '../db/schema/index.ts';

/** A row for a git call. */
export interface GitCommandRow {
  runId: string;
  phaseId: string | null;
  /** Absent: `main`. */
  laneId?: string;
  argv: string[];
  cwd: string;
  exitCode: number | null;
  startedAt: Date;
  endedAt: Date;
}

export interface GitCommands {
  /** Inserts all rows in one statement. */
  add(rows: readonly GitCommandRow[]): Promise<void>;
}

/** devflow's own git calls for runs. Their rows have no output files, so `run verify` can skip them. */
export function createGitCommands(db: Database['drizzle']): GitCommands {
  return {
    async add(rows) {
      await db.insert(commands).values(rows.map((row) => ({ ...row, kind: 'git' as const, stdoutPath: null })));
    },
  };
}

import type pg from 'pg';
import { DevflowError } from '../../../schemas/errors.ts';

/** The state of the database. `down` is no fault: `devflow up` starts it. */
export type FoundDatabase =
  | { state: 'up'; detail: string; pool: pg.Pool; close(): Promise<void> }
  | { state: 'down'; detail: string }
  | { state: 'broken'; detail: string; remediation: string };

/** An error as a state. */
export function broken(error: unknown): Extract<FoundDatabase, { state: 'broken' }> {
  const detail = error instanceof Error ? error.message : String(error);
  const remediation = error instanceof DevflowError ? error.recoveryHint : 'Run devflow up and read its output.';
  return { state: 'broken', detail: detail.replace(/\.$/, ''), remediation };
}

import { BLOCKED_BY_POLICY } from '../../schemas/states/command.ts';
import type { CommandResult } from './runner.ts';

/** The end of a command in a few words. */
export function howEnded({ blocked, timedOut, signal, exitCode }: CommandResult, timeoutMs: number): string {
  if (blocked !== undefined) return `${BLOCKED_BY_POLICY}${blocked}`;
  if (timedOut) return `timed out after ${timeoutMs} ms`;
  return signal ? `ended by ${signal}` : `exit ${exitCode}`;
}

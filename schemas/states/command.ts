/** The reason of a command that the policy blocked begins with this. */
export const BLOCKED_BY_POLICY = 'blocked by policy: ';

/** True if the policy blocked a command. */
export function isBlocked({ exitCode, reason }: { exitCode: number | null; reason: string | null }): boolean {
  return exitCode === null && (reason?.startsWith(BLOCKED_BY_POLICY) ?? false);
}

/** How the reason of a command begins that the policy did not let start. */
export const BLOCKED_BY_POLICY = 'blocked by policy: ';

/** Whether the policy did not let a command start. */
export function isBlocked({ exitCode, reason }: { exitCode: number | null; reason: string | null }): boolean {
  return exitCode === null && (reason?.startsWith(BLOCKED_BY_POLICY) ?? false);
}

const CODES = ['daemon_not_running', 'shutting_down', 'db_unreachable'];

/** True if the daemon is gone or ends soon. A daemon that reports a lost database ends soon. */
export function isAway(error: unknown): boolean {
  return CODES.includes((error as { code?: string }).code ?? '');
}

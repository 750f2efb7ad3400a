const CODES = ['daemon_not_running', 'shutting_down', 'db_unreachable'];

/** Whether the daemon is gone or about to go. One that misses its database ends soon after it says so. */
export function isAway(error: unknown): boolean {
  return CODES.includes((error as { code?: string }).code ?? '');
}

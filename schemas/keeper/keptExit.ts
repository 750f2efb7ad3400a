import type { ErrorCode } from '../errors.ts';

/** Exit codes of a daemon that a keeper started, for `daemon/keeper/afterEnd.ts`. */
export const KEPT_EXIT = {
  /** Another daemon leads the database. */
  otherDaemon: 3,
  /** The database does not answer. */
  database: 75,
  /** Another start would fail, too, until a person has fixed something. */
  person: 78,
} as const;

const NEEDS_PERSON: readonly ErrorCode[] = [
  'config_invalid',
  'db_damaged',
  'host_taken',
  'migration_pending',
  'temporal_packages_missing',
  'template_load_failed',
  'workspace_permissions',
];

/** Undefined for errors that may pass: the keeper counts them as crashes. */
export function keptExitOf(code: string | undefined): number | undefined {
  if (code === 'daemon_running' || code === 'fenced') return KEPT_EXIT.otherDaemon;
  if (code === 'db_unreachable') return KEPT_EXIT.database;
  return (NEEDS_PERSON as readonly (string | undefined)[]).includes(code) ? KEPT_EXIT.person : undefined;
}

/**
 * Flags of Node for a daemon. With much memory, V8 by default keeps up to 48 MB for new objects and collects them late.
 */
export const DAEMON_FLAGS = ['--max-semi-space-size=2'];

/** The shell of the keeper. */
export const SHELL = '/bin/sh';

export interface KeeperPrograms {
  /** `keeper.sh`, which sleeps while the daemon runs. */
  script: string;
  /** `keeper.cjs`, which decides what follows the end of a daemon. */
  program: string;
  daemon: string;
  /** The file of `record.ts`. */
  record: string;
  /** The daemon's log, for what the keeper says and what a crash prints. */
  log: string;
}

/** The arguments of the shell, for a keeper that starts a daemon. Only kept starts and `devflow up` migrate the database. */
export function keeperArguments(
  { script, program, daemon, record, log }: KeeperPrograms,
  more: readonly string[] = [],
) {
  const node = process.execPath;
  return [script, record, node, program, log, '', node, ...DAEMON_FLAGS, daemon, '--migrate', '--kept', ...more];
}

/** The same for a keeper of a daemon that already runs. */
export function adoptingArguments({ script, program, record, log }: KeeperPrograms, daemonPid: number): string[] {
  return [script, record, process.execPath, program, log, String(daemonPid)];
}

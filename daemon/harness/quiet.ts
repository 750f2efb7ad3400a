/**
 * A hook of the user's repository would run in devflow's name and could change the checkout, so none runs. The
 * housekeeping that git starts by itself would rewrite the user's repository in the background.
 */
export const QUIET = ['-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false'] as const;

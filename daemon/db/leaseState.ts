/** SQL on a row of `daemon_lease`: its daemon ended in order, or another one fenced it. */
export const IS_STOPPED = '(stopped_at IS NOT NULL OR epoch = 0)';

/** A host that has not renewed its lease for so long is silent: three beats and some time for a loaded machine. */
export const SILENT_MS = 5_000;

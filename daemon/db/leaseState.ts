/** SQL on a row of `daemon_lease`: true if its daemon ended in order, or was fenced. */
export const IS_STOPPED = '(stopped_at IS NOT NULL OR epoch = 0)';

/** A host is silent if it has not renewed its lease for so long. A loaded machine may miss some beats. */
export const SILENT_MS = 5_000;

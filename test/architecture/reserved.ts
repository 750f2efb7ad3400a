/**
 * Declared names without a user yet, with the work that will use them. A used name must leave its list. A new unused
 * name is a mistake, or needs its line here with the topic of its issue. No declared name is removed, because databases
 * and logs of earlier versions contain it.
 */

/** Error codes that no code throws. */
export const RESERVED_ERRORS: Readonly<Record<string, string>> = {};

/** Events that no code writes. */
export const RESERVED_EVENTS: Readonly<Record<string, string>> = {
  'run.titled': 'direct: a run without requirements gets a title',
};

/** Tables that no code writes. */
export const RESERVED_TABLES: Readonly<Record<string, string>> = {};

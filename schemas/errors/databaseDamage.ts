import { DevflowError } from '../errors.ts';

/** SQLSTATEs of damaged tables and indexes. */
const STATES = /^XX00[12]$/;
/** Internal errors, and errors of files. Both have causes other than damage, too. */
const CLASSES = /^(?:XX|58)/;
/** Postgres's words about a damaged file. */
const WORDS = [
  /invalid page in block/,
  /could not read block/,
  /could not open file "(?:base|global|pg_)/,
  /could not open critical system index/,
  /could not access status of transaction/,
  /could not locate a valid checkpoint record/,
  /could not find pg_/,
  /required WAL directory/,
  /contains (?:invalid data|incorrect checksum|unexpected)/,
  /is not a valid data directory/,
  /cache lookup failed/,
  /catalog is missing/,
  /(?:unexpected|missing) chunk number/,
  /invalid memory alloc request size/,
  /invalid magic number/,
];
/** Causes that leave the files whole. */
const OTHER = /Permission denied|Too many open files|No space left/;

/**
 * Postgres's words about damaged files, in an error of the driver or in its cause; undefined for other errors. Pure.
 */
export function damageIn(error: unknown): string | undefined {
  const { code, severity, message, cause } = (error ?? {}) as Record<string, unknown>;
  if (typeof code === 'string' && typeof severity === 'string' && typeof message === 'string') {
    return STATES.test(code) || (CLASSES.test(code) && namesDamage(message)) ? message : undefined;
  }
  return error instanceof Error && cause instanceof Error ? damageIn(cause) : undefined;
}

/** The last line of a server's log that names damage, without time and pid; undefined if there is none. Pure. */
export function damageInLog(log: string): string | undefined {
  const lines = log.split('\n').flatMap((line) => /^\S.*?\b(?:FATAL|PANIC|ERROR): {2}(.*)$/.exec(line)?.[1] ?? []);
  return lines.findLast(namesDamage);
}

/** The error for a damaged database. `which` names it, as a subject. */
export function damaged(which: string, what: string, cause?: unknown): DevflowError {
  return new DevflowError('db_damaged', `${which} is damaged: ${what.replace(/\.$/, '')}.`, { cause });
}

/** The error for damaged files, if that is what Postgres reported; undefined for other errors. Pure. */
export function damageError(error: unknown, which = 'The database'): DevflowError | undefined {
  const damage = damageIn(error);
  return damage === undefined ? undefined : damaged(which, damage, error);
}

function namesDamage(text: string): boolean {
  return WORDS.some((words) => words.test(text)) && !OTHER.test(text);
}

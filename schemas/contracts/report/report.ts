import { shorten } from '../../text/phrases.ts';
import { CODES, type ContractCode } from './codes.ts';
import type { TreeSnapshot, Wanted } from './tree.ts';

/** `strict` for who writes a document; `soft` for who reads it: then what is missing only warns. */
export type Mode = 'strict' | 'soft';

export interface Finding {
  code: ContractCode;
  message: string;
  /** Relative to the repository; empty if it is about no file. */
  path: string;
  line: number | null;
  field?: string;
  step?: number;
  section?: string;
}

/** A contract's findings about some files. */
export interface Report<P = unknown> {
  contract: string;
  /** The checked thing, as the caller named it. */
  subject: string;
  valid: boolean;
  errors: Finding[];
  warnings: Finding[];
  /** Null if nothing could be parsed. */
  parsed: P | null;
}

/** A finding about a file, in the order of the JSON form. */
export function finding(
  code: ContractCode,
  message: string,
  { path = '', line = null, ...about }: Partial<Omit<Finding, 'code' | 'message'>> = {},
): Finding {
  return { code, message, path, line, ...about };
}

export function makeReport<P>(made: {
  contract: string;
  subject: string;
  mode: Mode;
  findings: readonly Finding[];
  parsed: P | null;
}): Report<P> {
  const { contract, subject, mode, findings, parsed } = made;
  const errors = findings.filter(({ code }) => CODES[code][mode] === 'error');
  const warnings = findings.filter(({ code }) => CODES[code][mode] === 'warning');
  return { contract, subject, valid: errors.length === 0, errors, warnings, parsed };
}

/** Says which directories were not read, or not to their end. Nobody can say that such a directory is valid. */
export function notReadWhole({ entries }: TreeSnapshot): Finding[] {
  return [...entries.values()].flatMap(({ path, kind, fault }) => {
    if (kind !== 'dir' || fault === undefined) return [];
    return finding('CONTRACT_NOT_READ_WHOLE', `${shorten(path)} was not read whole: ${fault}.`, { path });
  });
}

/** A contract that a repository uses. A project directory has several, which are checked together. */
export interface Detected {
  contract: string;
  path: string;
}

/** A family of contracts. */
export interface ContractPart {
  /** The files that detection and checks read. */
  wanted: readonly Wanted[];
  detect(tree: TreeSnapshot): Detected[];
  /**
   * The reports of one that was detected. Without a mode, as the commands of the family read. Without `isAlive`, the holder of
   * a lock is believed to live.
   */
  check(tree: TreeSnapshot, path: string, mode?: Mode, isAlive?: (pid: number) => boolean): Report[];
}

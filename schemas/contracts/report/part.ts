import type { Mode, Report } from './report.ts';
import type { TreeSnapshot, Wanted } from './tree.ts';

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

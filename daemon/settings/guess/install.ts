import type { Workspace } from '../../../schemas/repoFacts.ts';
import type { RankedFact } from '../../discovery/rankFacts.ts';

/** A guess depends on these alone: the base commit, and the programs of this machine. */
export interface GuessInput {
  /** Every path of the commit. */
  paths: ReadonlySet<string>;
  /** The texts of its manifests. */
  texts: ReadonlyMap<string, string>;
  facts: readonly RankedFact[];
  workspaces: readonly Workspace[];
  /** True if the program is on the search path. */
  has(program: string): boolean;
}

/** The install of one project of the repository. */
export interface Install {
  commands: string[][];
  /** The files that say so, for a person. */
  because: string[];
  /** The files whose bytes decide what is installed. */
  again: string[];
  /** Directories that may be copied from the checkout, and the file that decides what is in the first one. */
  installed?: { directories: string[]; lock: string };
  env?: Record<string, string>;
  /** A directory of programs, for the search path. */
  programs?: string;
}

/** Guesses for one kind of project. */
export interface Ecosystem {
  manifests: readonly string[];
  /** Undefined if nothing needs to be installed, or devflow does not know how. */
  installOf(directory: string, input: GuessInput): Install | undefined;
  /** True if the project has no packages that are to be installed. Absent: it always has some. */
  needsNone?(directory: string, input: GuessInput): boolean;
}

/** An install, and the project that it is for. */
export interface PlacedInstall extends Install {
  directory: string;
  ecosystem: Ecosystem;
}

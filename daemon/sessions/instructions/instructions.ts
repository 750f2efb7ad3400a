/** A file of instructions that every agent gets as a whole, whatever its program reads itself. */
export interface InstructionFile {
  /** The names that lead to it. */
  paths: string[];
  text?: string;
  /** Why it has no text. */
  fault?: string;
}

/** A file that an agent may read when it needs it. */
export interface ListedFile {
  path: string;
  description?: string;
}

export interface Instructions {
  files: readonly InstructionFile[];
  /** Instructions for a directory of the worktree. */
  nested: readonly string[];
  /** The worktree is so large that there may be more of them. */
  isCut: boolean;
  skills: readonly ListedFile[];
  agents: readonly ListedFile[];
  commands: readonly ListedFile[];
}

import type { Sequence } from './command.ts';

/** How one sequence is carried out. */
export interface RunOptions {
  /**
   * May be carried out twice: a lost connection is then followed by a second try over a spawned tmux. Without it such
   * a loss is `outcome_unknown`, and the caller must look before it acts again. Default false.
   */
  readonly idempotent?: boolean;
  /** After this the command is given up as `outcome_unknown`. Default 10,000. */
  readonly timeoutMs?: number;
}

/** Whatever carries out tmux commands: a connection, a spawned tmux, or both behind one face. */
export interface Runner {
  /**
   * What the sequence printed, as lines. Throws TmuxError.
   * Callers want the typed functions of the other files; this is what those are made of.
   */
  run(sequence: Sequence, options?: RunOptions): Promise<string[]>;
}

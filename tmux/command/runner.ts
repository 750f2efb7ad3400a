import type { Sequence } from './command.ts';

/** Options of one sequence. */
export interface RunOptions {
  /**
   * The sequence may run twice: after a lost connection it is retried by a spawned tmux. Without it such a loss is
   * `outcome_unknown`, and the caller must look before it acts again. Default false.
   */
  readonly idempotent?: boolean;
  /** After this, the command fails as `outcome_unknown`. Default 10,000. */
  readonly timeoutMs?: number;
}

/** Runs tmux commands: a connection, a spawned tmux, or both behind one interface. */
export interface Runner {
  /**
   * Returns the sequence's output, as lines. Throws TmuxError. Callers use the typed functions of the other files,
   * which are built on this.
   */
  run(sequence: Sequence, options?: RunOptions): Promise<string[]>;
}

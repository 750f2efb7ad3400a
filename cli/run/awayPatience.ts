import { steadyNow } from '../../schemas/time/steadyTime.ts';

/** A restart takes less than this. While the keeper of the daemon waits for something, there is no limit. */
export const PATIENCE_MS = 60_000;

export interface AwayPatience {
  /** The daemon answers. */
  back(): void;
  /** Takes the error of a failed attempt to connect. True once the daemon has been away for too long. */
  isOver(error: unknown): boolean;
}

/** The time for which a command waits for a daemon that stopped answering. `onAway`: it begins to wait. */
export function createAwayPatience(onAway?: () => void): AwayPatience {
  let awaySince: number | undefined;
  return {
    back() {
      awaySince = undefined;
    },
    isOver(error) {
      if (awaySince === undefined) onAway?.();
      if (awaySince === undefined || waits(error)) awaySince = steadyNow();
      return steadyNow() - awaySince > PATIENCE_MS;
    },
  };
}

function waits(error: unknown): boolean {
  return (error as { data?: { waits?: boolean } }).data?.waits === true;
}

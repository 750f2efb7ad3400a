import { HELD_BACK } from './command.ts';
import { TmuxError } from './errors.ts';
import type { PaneId } from './ids.ts';

/** Throws `pane_dead` when the output of an `unlessDead` command says that it did nothing. */
export function refuseHeldBack(pane: PaneId, lines: readonly string[]): void {
  if (lines.includes(HELD_BACK)) throw new TmuxError('pane_dead', `The program in pane ${pane} has ended.`);
}

import { counted } from '../../schemas/counted.ts';
import type { SlotCounts } from '../../schemas/rpc/views/agents.ts';

/** `2 of 4`, or `4 of 4, 1 waits for a free slot`; undefined for a daemon of an older version. */
export function describeSlots(slots: SlotCounts | undefined): string | undefined {
  if (!slots) return undefined;
  const { atWork, waiting, limit } = slots;
  const some = `${atWork} of ${limit}`;
  return waiting === 0 ? some : `${some}, ${counted(waiting, 'waits', 'wait')} for a free slot`;
}

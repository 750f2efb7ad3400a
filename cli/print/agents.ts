import type { PlaceCounts } from '../../schemas/rpc/views/queue.ts';
import type { AdoptionCounts, SlotCounts } from '../../schemas/rpc/views/session.ts';
import { counted } from '../../schemas/text/phrases.ts';

/** `2 adopted, 1 resumed, 1 suspended at a gate`; undefined if the open runs had no agents. */
export function describeAdoption({ adopted, resumed, waiting, resting, pending }: AdoptionCounts): string | undefined {
  const parts = [
    adopted > 0 && `${adopted} adopted`,
    resumed > 0 && `${resumed} resumed`,
    waiting > 0 && `${waiting} suspended at a gate`,
    resting > 0 && counted(resting, 'suspended until its run needs it', 'suspended until their run needs them'),
    pending > 0 && `${pending} still resuming`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** `2 of 4`, or `4 of 4, 1 waits for a free slot`; undefined for a daemon of an older version. */
export function describeSlots(slots: SlotCounts | undefined): string | undefined {
  if (!slots) return undefined;
  const { atWork, waiting, limit } = slots;
  const some = `${atWork} of ${limit}`;
  return waiting === 0 ? some : `${some}, ${counted(waiting, 'waits', 'wait')} for a free slot`;
}

/** `2 of 4`, or `4 of 4, 8 queued`; undefined for a daemon of an older version. */
export function describePlaces(places: PlaceCounts | undefined): string | undefined {
  if (!places) return undefined;
  const { atWork, queued, limit } = places;
  return `${atWork} of ${limit}${queued === 0 ? '' : `, ${queued} queued`}`;
}

import { counted } from '../../schemas/counted.ts';
import type { AdoptionCounts } from '../../schemas/rpc/views/agents.ts';

/** `2 adopted, 1 resumed, 1 waits behind a gate`; undefined where the open runs had no agent. Pure. */
export function describeAdoption({ adopted, resumed, waiting, resting, pending }: AdoptionCounts): string | undefined {
  const parts = [
    adopted > 0 && `${adopted} adopted`,
    resumed > 0 && `${resumed} resumed`,
    waiting > 0 && counted(waiting, 'waits behind a gate', 'wait behind a gate'),
    resting > 0 && counted(resting, 'rests until its run needs it', 'rest until their run needs them'),
    pending > 0 && counted(pending, 'is still being brought back', 'are still being brought back'),
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(', ');
}

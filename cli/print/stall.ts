import type { StallView } from '../../schemas/rpc/views/session.ts';
import { stallWords } from '../../schemas/states/stall.ts';
import { localTime, visible } from './text.ts';

/** What keeps an agent from going on, in a few words; null where nothing does. */
export function stallText(stall: Pick<StallView, 'cause' | 'detail' | 'until'> | null | undefined): string | null {
  return stall ? visible(stallWords(stall, localTime)) : null;
}

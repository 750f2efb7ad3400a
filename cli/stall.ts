import type { StallView } from '../schemas/rpc/views/session.ts';
import { localTime, visible } from './text.ts';

/** What keeps an agent from going on, in a few words; null where nothing does. */
export function stallText(stall: Pick<StallView, 'cause' | 'detail' | 'until'> | null | undefined): string | null {
  if (!stall) return null;
  return `${stall.cause}: ${visible(stall.detail)}${stall.until ? ` until ${localTime(stall.until)}` : ''}`;
}

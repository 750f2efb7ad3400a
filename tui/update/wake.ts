import type { Model } from '../model/model.ts';
import { screenOf } from '../screens/index.ts';
import { earliest } from '../text/time.ts';

/** When passing time alone next changes the screen; undefined where only events do. */
export function wakeAt(model: Model): number | undefined {
  const { link, now, toasts } = model;
  if (link.state === 'none' || link.state === 'other version') return undefined;
  const banner = link.state === 'away' ? now + 1000 - ((now - link.since) % 1000) : undefined;
  return earliest([...toasts.map(({ until }) => until), banner, screenOf(model).changesAt?.(model)]);
}

import type { Model } from '../model/model.ts';
import { screenOf } from '../screens/index.ts';
import { earliest } from '../text/soonest.ts';

/** When the clock alone changes what is shown; undefined where only news does. */
export function wakeAt(model: Model): number | undefined {
  const { link, now, toasts } = model;
  if (link.state === 'none' || link.state === 'other version') return undefined;
  const away = link.state === 'away' ? now + 1000 - ((now - link.since) % 1000) : undefined;
  return earliest([...toasts.map(({ until }) => until), away, screenOf(model).changesAt?.(model)]);
}

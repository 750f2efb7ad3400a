import type { Model } from '../model/model.ts';
import type { Overlay } from '../model/overlay.ts';
import { bodySize } from '../model/size.ts';
import { type Step, step } from '../model/step.ts';
import { onChooseKey } from './choose.ts';
import { onConfirmKey } from './confirm.ts';
import { onHelpKey } from './help.ts';
import { onInputKey } from './input.ts';
import { onPaletteKey } from './palette.ts';
import { roomIn } from './room.ts';

/** A key while something lies over the screen: nothing else gets it. */
export function onOverlayKey(model: Model, overlay: Overlay, key: string): Step {
  switch (overlay.kind) {
    case 'confirm':
      return onConfirmKey({ ...model, overlay: undefined }, overlay, key);
    case 'input':
      return onInputKey(model, overlay, key);
    case 'choose':
      return onChooseKey(model, overlay, key);
    case 'text':
      return step({ ...model, overlay: undefined });
    case 'palette':
      return onPaletteKey(model, overlay, key);
    case 'help':
      return onHelpKey(model, overlay, key, roomIn(bodySize(model)));
    default:
      return overlay satisfies never;
  }
}

/** In these is nothing to move in. */
const STILL: ReadonlySet<Overlay['kind']> = new Set(['confirm', 'input', 'text']);

/** The wheel moves in it as the arrows do. A click means nothing: it could be a slip, and confirms nothing. */
export function onOverlayMouse(model: Model, overlay: Overlay, action: 'click' | 'up' | 'down'): Step {
  if (action === 'click' || STILL.has(overlay.kind)) return step(model);
  return onOverlayKey(model, overlay, action);
}

import type { Model } from '../model/model.ts';
import type { Overlay } from '../model/overlay.ts';
import { type Step, step } from '../model/step.ts';
import { bodySize } from '../widgets/bodySize.ts';
import { onChooseKey } from './choose.ts';
import { onConfirmKey } from './confirm.ts';
import { onHelpKey } from './help.ts';
import { onInputKey } from './input.ts';
import { onMessageKey } from './message.ts';
import { onPaletteKey } from './palette.ts';
import { roomIn } from './room.ts';

/** A key while something lies over the screen: nothing else gets it. */
export function onOverlayKey(model: Model, overlay: Overlay, key: string): Step {
  switch (overlay.kind) {
    case 'confirm':
      return onConfirmKey({ ...model, overlay: undefined }, overlay, key, roomIn(bodySize(model)));
    case 'message':
      return onMessageKey(model, overlay, key, roomIn(bodySize(model)));
    case 'input':
      return onInputKey(model, overlay, key);
    case 'choose':
      return onChooseKey(model, overlay, key);
    case 'palette':
      return onPaletteKey(model, overlay, key);
    case 'help':
      return onHelpKey(model, overlay, key, roomIn(bodySize(model)));
    default:
      return overlay satisfies never;
  }
}

/** The wheel moves in it as the arrows do. A click means nothing: it could be a slip, and confirms nothing. */
export function onOverlayMouse(model: Model, overlay: Overlay, action: 'click' | 'up' | 'down'): Step {
  const isQuestion = overlay.kind === 'confirm' && !overlay.list;
  if (action === 'click' || isQuestion || overlay.kind === 'input') return step(model);
  // Where all is seen a turn of the wheel would answer.
  if ((overlay.kind === 'confirm' || overlay.kind === 'message') && !onOverlayKey(model, overlay, action).model.overlay)
    return step(model);
  return onOverlayKey(model, overlay, action);
}

import type { Binding } from '../keys/binding.ts';
import { typed } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { Overlay } from '../model/overlay.ts';
import { type Step, step } from '../model/step.ts';
import { foundActions } from './palette.ts';

/** A key while something lies over the screen: nothing else gets it. */
export function onOverlayKey(model: Model, overlay: Overlay, key: string): Step {
  const closed = { ...model, overlay: undefined };
  if (key === 'C-c') return step(closed);
  switch (overlay.kind) {
    case 'confirm':
      return key === overlay.yes ? overlay.then(closed) : step(closed);
    case 'input': {
      if (key === 'escape') return step(closed);
      const text = overlay.field.text.trim();
      if (key === 'enter') return text === '' && !overlay.mayBeEmpty ? step(model) : overlay.then(closed, text);
      const field = typed(overlay.field, key);
      return step(field ? { ...model, overlay: { ...overlay, field } } : model);
    }
    case 'palette':
      return onPaletteKey(model, overlay, key);
    case 'help': {
      const by = { j: 1, down: 1, k: -1, up: -1, 'C-d': 10, pagedown: 10, 'C-u': -10, pageup: -10 }[key];
      return step(
        by === undefined ? closed : { ...model, overlay: { ...overlay, top: Math.max(0, overlay.top + by) } },
      );
    }
    default:
      return overlay satisfies never;
  }
}

function onPaletteKey(model: Model, overlay: Extract<Overlay, { kind: 'palette' }>, key: string): Step {
  const closed = { ...model, overlay: undefined };
  const found = foundActions(model, overlay.field.text);
  const select = (selected: number) =>
    step({ ...model, overlay: { ...overlay, selected: Math.max(0, Math.min(selected, found.length - 1)) } });
  if (key === 'escape') return step(closed);
  if (key === 'down' || key === 'C-n' || key === 'tab') return select(overlay.selected + 1);
  if (key === 'up' || key === 'C-p' || key === 'S-tab') return select(overlay.selected - 1);
  if (key === 'enter') {
    const binding: Binding | undefined = found[overlay.selected];
    if (!binding || binding.disabled?.(closed) !== undefined) return step(model);
    return binding.run(closed);
  }
  const field = typed(overlay.field, key);
  return step(field ? { ...model, overlay: { kind: 'palette', field, selected: 0 } } : model);
}

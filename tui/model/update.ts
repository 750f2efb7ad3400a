import type { Binding } from '../keys/binding.ts';
import { GLOBAL } from '../keys/global.ts';
import { onOverlayKey } from '../overlays/keys.ts';
import { screenOf } from '../screens/index.ts';
import type { TuiEvent } from './event.ts';
import type { Model } from './model.ts';
import { reduce } from './reduce.ts';
import { bodySize } from './size.ts';
import { type Step, step, toast } from './step.ts';

/** The model after an event, and what is asked of the world. Pure. */
export function update(before: Model, event: TuiEvent, now: number): Step {
  const model = before.now === now ? before : { ...before, now };
  switch (event.type) {
    case 'key':
      return onKey(model, event.key);
    case 'mouse':
      return onMouse(model, event);
    case 'answered': {
      const at = event.doing === undefined ? -1 : model.busy.indexOf(event.doing);
      return event.then({ ...model, busy: model.busy.filter((_, nth) => nth !== at) });
    }
    default:
      return step(reduce(model, event));
  }
}

function onKey(model: Model, key: string): Step {
  if (model.link.state === 'none' || model.link.state === 'other version') return withoutDaemon(model, key);
  if (model.overlay) return onOverlayKey(model, model.overlay, key);
  const screen = screenOf(model);
  if (screen.typing?.(model)) return screen.onKey?.(model, key) ?? step(model);
  const own = screen.bindings.find(({ keys }) => keys.includes(key));
  if (own) return perform(model, own);
  const taken = screen.onKey?.(model, key);
  if (taken) return taken;
  const global = GLOBAL.find(({ keys }) => keys.includes(key));
  return global ? perform(model, global) : step(model);
}

/** The keys that `screens/noDaemon.ts` shows. */
function withoutDaemon(model: Model, key: string): Step {
  const { link } = model;
  if (key === 'q' || key === 'C-c') return step(model, { type: 'quit' });
  if (key === 'r') return step({ ...model, link: { state: 'connecting' } }, { type: 'connect' });
  if (key !== 's' || link.state !== 'none' || link.starting) return step(model);
  return step({ ...model, link: { ...link, starting: true } }, { type: 'startDaemon' });
}

/** Does what a binding stands for, or says why not. */
export function perform(model: Model, binding: Binding): Step {
  const why = binding.disabled?.(model);
  if (why === undefined) return binding.run(model);
  return step(binding.id === 'back' ? model : toast(model, 'warn', `${binding.label}: ${why}.`));
}

function onMouse(model: Model, { action, row, column }: Extract<TuiEvent, { type: 'mouse' }>): Step {
  if (model.overlay) return step(model);
  const size = bodySize(model);
  const head = model.size.rows - 1 - size.rows;
  if (row < head || row >= head + size.rows) return step(model);
  return screenOf(model).onMouse?.(model, { action, row: row - head, column }, size) ?? step(model);
}

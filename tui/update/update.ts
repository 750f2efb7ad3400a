import { GLOBAL } from '../keys/global.ts';
import type { Binding } from '../model/binding.ts';
import type { TuiEvent } from '../model/event.ts';
import { pasteKey } from '../model/field.ts';
import { type Model, type Step, step } from '../model/model.ts';
import { goTo } from '../model/place.ts';
import { toast } from '../model/toast.ts';
import { onOverlayKey, onOverlayMouse } from '../overlays/index.ts';
import { activeBindings, screenOf } from '../screens/index.ts';
import { NO_DAEMON } from '../screens/noDaemon.ts';
import { tabAt } from '../screens/tabs.ts';
import { earliest } from '../text/time.ts';
import { bodySize, headRows, isTooSmall } from '../widgets/bodySize.ts';
import { reduce } from './reduce.ts';

/** The model after an event, and the commands to run. Pure. */
export function update(before: Model, event: TuiEvent, now: number): Step {
  const { model, commands } = stepAfter(before.now === now ? before : { ...before, now }, event);
  return { model: screenOf(model).noticed?.(before, model) ?? model, commands };
}

function stepAfter(model: Model, event: TuiEvent): Step {
  switch (event.type) {
    case 'key':
      return onKey(model, event.key);
    case 'paste':
      return onPaste(model, event.text);
    case 'mouse':
      return onMouse(model, event);
    case 'commandEnded': {
      const at = event.doing === undefined ? -1 : model.busy.indexOf(event.doing);
      return event.then({ ...model, busy: model.busy.filter((_, nth) => nth !== at) });
    }
    default:
      return step(reduce(model, event));
  }
}

function onKey(model: Model, pressed: string): Step {
  const key = pressed === 'C-j' && !takesLines(model) ? 'enter' : pressed;
  if (isWithoutDaemon(model)) return performFirst(model, NO_DAEMON, key) ?? step(model);
  // Ctrl-C works everywhere, also while one types.
  if (key === 'C-c') return model.overlay ? step({ ...model, overlay: undefined }) : step(model, { type: 'quit' });
  if (isTooSmall(model.size)) return step(model, ...(key === 'q' ? [{ type: 'quit' } as const] : []));
  if (model.overlay) return onOverlayKey(model, model.overlay, key);
  const screen = screenOf(model);
  if (screen.typing?.(model)) return screen.onKey?.(model, key) ?? step(model);
  return (
    performFirst(model, activeBindings(model), key) ??
    screen.onKey?.(model, key) ??
    performFirst(model, GLOBAL, key) ??
    step(model)
  );
}

/** Elsewhere a line feed is Enter, as some programs send it. */
function takesLines({ overlay }: Model): boolean {
  return overlay?.kind === 'input' && overlay.manyLines === true;
}

/** Only a text field takes a paste. Elsewhere its letters would run as keys. */
function onPaste(model: Model, text: string): Step {
  if (isWithoutDaemon(model) || isTooSmall(model.size) || text === '') return step(model);
  const { overlay } = model;
  const hasField = overlay ? 'field' in overlay : screenOf(model).typing?.(model);
  if (hasField) return onKey(model, pasteKey(text));
  return step(toast(model, 'warn', 'Paste ignored: no text field has focus.'));
}

/** The first binding of the key that is enabled; if none is, the first one says why. */
function performFirst(model: Model, bindings: readonly Binding[], key: string): Step | undefined {
  const matching = bindings.filter(({ keys }) => keys.includes(key));
  const binding = matching.find((each) => each.disabled?.(model) === undefined) ?? matching[0];
  return binding && perform(model, binding);
}

/** Runs a binding, or says why it is disabled. */
export function perform(model: Model, binding: Binding): Step {
  const why = binding.disabled?.(model);
  if (why === undefined) return binding.run(model);
  return step(
    binding.id === 'back' || isWithoutDaemon(model) ? model : toast(model, 'warn', `${binding.label}: ${why}.`),
  );
}

function onMouse(model: Model, { action, row, column }: Extract<TuiEvent, { type: 'mouse' }>): Step {
  if (isWithoutDaemon(model) || isTooSmall(model.size)) return step(model);
  if (model.overlay) return onOverlayMouse(model, model.overlay, action);
  if (row === 0) {
    const tab = action === 'click' ? tabAt(model, column) : undefined;
    return step(tab === undefined ? model : goTo(model, { screen: tab }));
  }
  const size = bodySize(model);
  const head = headRows(model);
  if (row < head || row >= head + size.rows) return step(model);
  return screenOf(model).onMouse?.(model, { action, row: row - head, column }, size) ?? step(model);
}

function isWithoutDaemon({ link }: Model): boolean {
  return link.state === 'none' || link.state === 'other version';
}

/** The time when the screen next changes by itself; undefined if only events change it. */
export function wakeAt(model: Model): number | undefined {
  const { link, now, toasts } = model;
  if (isWithoutDaemon(model)) return undefined;
  const banner = link.state === 'away' ? now + 1000 - ((now - link.since) % 1000) : undefined;
  return earliest([...toasts.map(({ until }) => until), banner, screenOf(model).changesAt?.(model)]);
}

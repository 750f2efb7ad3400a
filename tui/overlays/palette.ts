import { GLOBAL } from '../keys/global.ts';
import { type Binding, keyName } from '../model/binding.ts';
import { type Model, type OverlayOf, type Step, step } from '../model/model.ts';
import { activeBindings } from '../screens/index.ts';
import { fitWidth, type Line, line, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { rank } from './fuzzy.ts';
import { pickKey, pickLines } from './pick.ts';

/** The matching actions, best first: actions of the screen, global ones, movement, and last the ones that are disabled now. */
export function matchingActions(model: Model, query: string): Binding[] {
  const closed = { ...model, overlay: undefined };
  const all = [...activeBindings(closed), ...GLOBAL].filter(({ id }) => id !== 'palette');
  const found = rank(
    query,
    all,
    ({ label }) => label,
    ({ help }) => help,
  );
  const order = (binding: Binding) => (binding.disabled?.(closed) !== undefined ? 2 : binding.movement ? 1 : 0);
  return found.sort((a, b) => order(a) - order(b));
}

export function onPaletteKey(model: Model, overlay: OverlayOf<'palette'>, key: string): Step {
  const closed = { ...model, overlay: undefined };
  const found = matchingActions(model, overlay.field.text);
  const next = pickKey(overlay, found.length, key);
  if (next === 'closed') return step(closed);
  if (next !== 'picked') return step({ ...model, overlay: { ...overlay, ...next } });
  const binding = found[overlay.selected];
  if (!binding || binding.disabled?.(closed) !== undefined) return step(model);
  return binding.run(closed);
}

export function paletteLines(model: Model, overlay: OverlayOf<'palette'>, columns: number, rows: number): Line[] {
  const draw = (binding: Binding, cells: number) => actionLine(model, binding, cells);
  return pickLines(overlay, matchingActions(model, overlay.field.text), draw, { columns, rows });
}

function actionLine(model: Model, binding: Binding, columns: number): Line {
  const why = binding.disabled?.({ ...model, overlay: undefined });
  const keys = binding.keys.slice(0, 2).map(keyName).join(' ');
  const look = why === undefined ? undefined : theme.muted;
  const label = fitWidth(line(span(binding.label, look ?? theme.title)), 18);
  const help = why === undefined ? binding.help : `not now: ${why}`;
  return line(...label, ' ', ...fitWidth(line(span(help, look)), columns - 19 - 13), ' ', span(keys, theme.key));
}

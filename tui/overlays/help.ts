import { counted } from '../../schemas/text/phrases.ts';
import { GLOBAL } from '../keys/global.ts';
import { type Binding, keyName } from '../model/binding.ts';
import { type Model, type OverlayOf, type Size, type Step, step } from '../model/model.ts';
import { activeBindings } from '../screens/index.ts';
import { EMPTY, fitWidth, type Line, line, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { scrolled, scrolledLines } from './scrolled.ts';

const KEYS = 18;

/** Every key that does not scroll closes it. */
export function onHelpKey(model: Model, overlay: OverlayOf<'help'>, key: string, room: Size): Step {
  const top = scrolled(overlay.top, key, allLines(model, room.columns).length, room.rows);
  return step({ ...model, overlay: top === undefined ? undefined : { kind: 'help', top } });
}

/** The keys of this screen and their actions. The last line says how much more there is. */
export function helpLines(model: Model, overlay: OverlayOf<'help'>, room: Size): Line[] {
  const rest = (more: number) =>
    more > 0 ? `↓ ${counted(more, 'more line')}; any other key closes` : 'End; any other key closes';
  return scrolledLines(allLines(model, room.columns), overlay.top, room.rows, rest);
}

function allLines(model: Model, columns: number): Line[] {
  const rowsOf = (binding: Binding): Line[] => {
    const keys = wrap(binding.keys.map(keyName).join(' ') || ':', KEYS - 1, theme.key);
    const why = binding.disabled?.({ ...model, overlay: undefined });
    const text = why === undefined ? binding.help : `${binding.help} (not now: ${why})`;
    const help = wrap(text, columns - KEYS, why === undefined ? undefined : theme.muted);
    return Array.from({ length: Math.max(keys.length, help.length) }, (_, nth) =>
      line(...fitWidth(keys[nth] ?? EMPTY, KEYS), ...(help[nth] ?? EMPTY)),
    );
  };
  const closed = { ...model, overlay: undefined };
  const own = activeBindings(closed);
  const acting = own.filter(({ movement }) => !movement);
  const moving = own.filter(({ movement, disabled }) => movement && disabled?.(closed) === undefined);
  const taken = new Set(own.flatMap(({ keys }) => keys));
  const others = GLOBAL.filter(({ keys }) => !keys.every((key) => taken.has(key)));
  const sections = [
    acting.flatMap(rowsOf),
    section('Moving', moving.flatMap(rowsOf)),
    section('Everywhere', others.flatMap(rowsOf)),
  ].filter((lines) => lines.length > 0);
  return sections.flatMap((lines, nth) => (nth === 0 ? lines : [EMPTY, ...lines]));
}

function section(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? lines : [line(span(title, theme.title)), ...lines];
}

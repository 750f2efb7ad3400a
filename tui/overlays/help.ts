import { counted } from '../../schemas/counted.ts';
import { GLOBAL } from '../keys/global.ts';
import { type Binding, keyName } from '../model/binding.ts';
import type { Model } from '../model/model.ts';
import type { OverlayOf } from '../model/overlay.ts';
import { type Step, step } from '../model/step.ts';
import { activeBindings } from '../screens/index.ts';
import { EMPTY, fitWidth, type Line, line, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { scrolled, scrolledLines } from './scrolled.ts';

const KEYS = 18;

/** Keys that scroll scroll; every other one closes it. */
export function onHelpKey(model: Model, overlay: OverlayOf<'help'>, key: string, room: Room): Step {
  const top = scrolled(overlay.top, key, allLines(model, room.columns).length, room.rows);
  return step({ ...model, overlay: top === undefined ? undefined : { kind: 'help', top } });
}

export interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** What the keys of this screen do, and below it how much more there is. */
export function helpLines(model: Model, overlay: OverlayOf<'help'>, room: Room): Line[] {
  const rest = (more: number) =>
    more > 0 ? `↓ ${counted(more, 'more line')}; any other key closes` : 'That is all; any other key closes';
  return scrolledLines(allLines(model, room.columns), overlay.top, room.rows, rest);
}

function allLines(model: Model, columns: number): Line[] {
  const about = (binding: Binding): Line[] => {
    const keys = wrap(binding.keys.map(keyName).join(' ') || ':', KEYS - 1, theme.key);
    const why = binding.disabled?.({ ...model, overlay: undefined });
    const text = why === undefined ? binding.help : `${binding.help} (not now: ${why})`;
    const said = wrap(text, columns - KEYS, why === undefined ? undefined : theme.muted);
    return Array.from({ length: Math.max(keys.length, said.length) }, (_, nth) =>
      line(...fitWidth(keys[nth] ?? EMPTY, KEYS), ...(said[nth] ?? EMPTY)),
    );
  };
  const closed = { ...model, overlay: undefined };
  const own = activeBindings(closed);
  const doing = own.filter(({ movement }) => !movement);
  const moving = own.filter(({ movement, disabled }) => movement && disabled?.(closed) === undefined);
  const taken = new Set(own.flatMap(({ keys }) => keys));
  const others = GLOBAL.filter(({ keys }) => !keys.every((key) => taken.has(key)));
  const parts = [
    doing.flatMap(about),
    part('Moving', moving.flatMap(about)),
    part('Everywhere', others.flatMap(about)),
  ].filter((lines) => lines.length > 0);
  return parts.flatMap((lines, nth) => (nth === 0 ? lines : [EMPTY, ...lines]));
}

function part(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? lines : [line(span(title, theme.title)), ...lines];
}

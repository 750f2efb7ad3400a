import { counted } from '../../schemas/counted.ts';
import { type Binding, keyName } from '../keys/binding.ts';
import { GLOBAL } from '../keys/global.ts';
import { presentBindings } from '../keys/present.ts';
import type { Model } from '../model/model.ts';
import type { OverlayOf } from '../model/overlay.ts';
import { type Step, step } from '../model/step.ts';
import { EMPTY, type Line, line, sized, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';

const KEYS = 18;
const BY: Readonly<Record<string, number>> = {
  ...{ j: 1, down: 1, 'C-d': 8, pagedown: 8, ' ': 8, end: 10_000, G: 10_000 },
  ...{ k: -1, up: -1, 'C-u': -8, pageup: -8, home: -10_000, g: -10_000 },
};

/** Keys that scroll scroll; every other one closes it. */
export function onHelpKey(model: Model, overlay: OverlayOf<'help'>, key: string, room: Room): Step {
  const by = BY[key];
  if (by === undefined) return step({ ...model, overlay: undefined });
  return step({ ...model, overlay: { kind: 'help', top: topOf(model, overlay.top + by, room) } });
}

export interface Room {
  readonly columns: number;
  readonly rows: number;
}

function topOf(model: Model, top: number, { columns, rows }: Room): number {
  return Math.max(0, Math.min(top, allLines(model, columns).length - (rows - 1)));
}

/** What the keys of this screen do, and below it how much more there is. */
export function helpLines(model: Model, overlay: OverlayOf<'help'>, room: Room): Line[] {
  const all = allLines(model, room.columns);
  if (all.length <= room.rows) return all;
  const top = topOf(model, overlay.top, room);
  const shown = all.slice(top, top + room.rows - 1);
  const more = all.length - top - shown.length;
  const rest = more > 0 ? `↓ ${counted(more, 'more line')}; any other key closes` : 'That is all; any other key closes';
  return [...shown, line(span(rest, theme.muted))];
}

function allLines(model: Model, columns: number): Line[] {
  const about = (binding: Binding): Line[] => {
    const keys = wrap(binding.keys.map(keyName).join(' ') || ':', KEYS - 1, theme.key);
    const why = binding.disabled?.({ ...model, overlay: undefined });
    const text = why === undefined ? binding.help : `${binding.help} (not now: ${why})`;
    const said = wrap(text, columns - KEYS, why === undefined ? undefined : theme.muted);
    return Array.from({ length: Math.max(keys.length, said.length) }, (_, nth) =>
      line(...sized(keys[nth] ?? EMPTY, KEYS), ...(said[nth] ?? EMPTY)),
    );
  };
  const closed = { ...model, overlay: undefined };
  const own = presentBindings(closed);
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

import { type Binding, keyName } from '../keys/binding.ts';
import { GLOBAL } from '../keys/global.ts';
import type { Model, Size } from '../model/model.ts';
import type { Overlay } from '../model/overlay.ts';
import { screenOf } from '../screens/index.ts';
import { type Line, lay, line, over, sized, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { box } from '../widgets/box.ts';
import { fieldLine } from '../widgets/fieldLine.ts';
import { foundActions } from './palette.ts';

/** The screen's lines with what lies over them. */
export function withOverlay(model: Model, under: readonly Line[], size: Size): readonly Line[] {
  if (!model.overlay) return under;
  const columns = Math.min(size.columns - 4, 76);
  const lines = boxOf(model, model.overlay, columns, size.rows - 2).slice(0, size.rows);
  const row = Math.max(0, Math.floor((size.rows - lines.length) / (model.overlay.kind === 'palette' ? 4 : 2)));
  return lay(under, lines, row, Math.floor((size.columns - columns) / 2));
}

function boxOf(model: Model, overlay: Overlay, columns: number, rows: number): Line[] {
  const inner = columns - 4;
  const padded = (lines: readonly Line[]) => lines.map((each) => line(' ', ...each));
  switch (overlay.kind) {
    case 'confirm': {
      const yes = line(span(keyName(overlay.yes), theme.key), ' yes   ', span('any other key', theme.key), ' no');
      const detail = overlay.detail === undefined ? [] : wrap(overlay.detail, inner, theme.muted);
      return box('Sure?', padded([...wrap(overlay.question, inner), ...detail, line(), yes]), columns);
    }
    case 'input': {
      const keys = line(span('Enter', theme.key), ' send   ', span('Esc', theme.key), ' never mind');
      return box(overlay.title, padded([fieldLine(overlay.field, inner), line(), keys]), columns);
    }
    case 'palette': {
      const found = foundActions(model, overlay.field.text);
      const height = Math.max(1, Math.min(rows - 4, 14));
      const from = Math.max(0, Math.min(overlay.selected - height + 1, found.length - height));
      const shown = found.slice(from, from + height).map((each, nth) => {
        const drawn = sized(actionLine(model, each, inner), inner + 1);
        return from + nth === overlay.selected ? over(drawn, theme.selected) : drawn;
      });
      const none = line(span('Nothing is called so.', theme.muted));
      return box(
        'Commands',
        padded([fieldLine(overlay.field, inner), line(), ...(found.length ? shown : [none])]),
        columns,
      );
    }
    case 'help': {
      const lines = helpLines(model, inner);
      const height = Math.max(1, rows - 2);
      const top = Math.min(overlay.top, Math.max(0, lines.length - height));
      return box(`Keys: ${screenOf(model).title(model)}`, padded(lines.slice(top, top + height)), columns);
    }
    default:
      return overlay satisfies never;
  }
}

function actionLine(model: Model, binding: Binding, columns: number): Line {
  const why = binding.disabled?.({ ...model, overlay: undefined });
  const keys = binding.keys.slice(0, 2).map(keyName).join(' ');
  const look = why === undefined ? undefined : theme.muted;
  const label = sized(line(span(binding.label, look ?? theme.title)), 18);
  const help = why === undefined ? binding.help : `not now: ${why}`;
  return line(...label, ...sized(line(span(help, look)), columns - 18 - 12), ' ', span(keys, theme.key));
}

function helpLines(model: Model, columns: number): Line[] {
  const about = (binding: Binding): Line[] => {
    const keys = sized(line(span(binding.keys.map(keyName).join(' '), theme.key)), 18);
    const why = binding.disabled?.({ ...model, overlay: undefined });
    const text = why === undefined ? binding.help : `${binding.help} (not now: ${why})`;
    return wrap(text, columns - 18, why === undefined ? undefined : theme.muted).map((each, nth) =>
      line(...(nth === 0 ? keys : sized(line(), 18)), ...each),
    );
  };
  const own = screenOf(model).bindings.filter(({ keys }) => keys.length > 0);
  const taken = new Set(own.flatMap(({ keys }) => keys));
  const others = GLOBAL.filter(({ keys }) => !keys.every((key) => taken.has(key)));
  return [...own.flatMap(about), line(), line(span('Everywhere', theme.title)), ...others.flatMap(about)];
}

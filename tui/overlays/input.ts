import { field, typed } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { OverlayOf } from '../model/overlay.ts';
import { type Step, step } from '../model/step.ts';
import { EMPTY, type Line, line, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { fieldLine } from '../widgets/fieldLine.ts';

type Input = OverlayOf<'input'>;

export function onInputKey(model: Model, overlay: Input, key: string): Step {
  const closed = { ...model, overlay: undefined };
  if (key === 'escape') return step(closed);
  const text = overlay.field.text.trim();
  if (key === 'enter') return text === '' && !overlay.mayBeEmpty ? step(model) : overlay.then(closed, text);
  if (key === 'tab' && overlay.complete) return askNames(model, overlay, overlay.complete);
  const next = typed(overlay.field, key);
  return step(next ? { ...model, overlay: { ...overlay, field: next, names: undefined } } : model);
}

function askNames(model: Model, overlay: Input, only: 'files' | 'directories'): Step {
  const path = overlay.field.text;
  return step(model, {
    type: 'complete',
    path,
    only,
    then(later, names) {
      const now = later.overlay;
      // Somebody typed on meanwhile: those names are of another path.
      if (now?.kind !== 'input' || now.field.text !== path) return step(later);
      const longer = names.length === 0 ? path : commonStart(names);
      return step({
        ...later,
        overlay: { ...now, field: field(longer), names: names.length === 1 ? undefined : names },
      });
    },
  });
}

/** The longest beginning that all of them have. */
export function commonStart([first = '', ...others]: readonly string[]): string {
  const letters = [...first];
  let count = letters.length;
  for (const other of others) {
    const differs = [...other].findIndex((letter, nth) => letter !== letters[nth]);
    count = Math.min(count, differs < 0 ? [...other].length : differs);
  }
  return letters.slice(0, count).join('');
}

export function inputLines(overlay: Input, columns: number, rows: number): Line[] {
  const { description, complete, label = 'send' } = overlay;
  const key = (name: string, does: string) => [span(name, theme.key), span(` ${does}   `)];
  const keys = line(...key('Enter', label), ...(complete ? key('Tab', 'complete') : []), ...key('Esc', 'never mind'));
  const explained = description === undefined ? [] : wrap(description, columns, theme.muted);
  const room = Math.max(0, rows - 3 - explained.length);
  return [fieldLine(overlay.field, columns), ...explained, ...nameLines(overlay, columns, room), EMPTY, keys];
}

/** What a Tab found, by the part that differs. */
function nameLines({ names, field }: Input, columns: number, rows: number): Line[] {
  if (names === undefined || rows === 0) return [];
  if (names.length === 0) return [line(span('Nothing begins so.', theme.muted))];
  const known = field.text.lastIndexOf('/') + 1;
  const lines = wrap(names.map((name) => name.slice(known)).join('  '), columns, theme.accent);
  return lines.length <= rows ? lines : [...lines.slice(0, rows - 1), line(span('… and more', theme.muted))];
}

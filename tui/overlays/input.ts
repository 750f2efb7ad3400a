import { field, typed } from '../model/field.ts';
import { typedLines } from '../model/fieldLines.ts';
import { type Model, type OverlayOf, type Step, step } from '../model/model.ts';
import { EMPTY, type Line, line, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { fieldLines } from '../widgets/fieldLine.ts';

type Input = OverlayOf<'input'>;

export function onInputKey(model: Model, overlay: Input, key: string): Step {
  const closed = { ...model, overlay: undefined };
  if (key === 'escape') return step(closed);
  const text = overlay.field.text.trim();
  if (key === 'enter') return text === '' && !overlay.mayBeEmpty ? step(model) : overlay.then(closed, text);
  if (key === 'tab' && overlay.complete) return completePath(model, overlay, overlay.complete);
  if (key === 'C-e' && overlay.editor) return overlay.editor(closed, overlay.field.text);
  const next = (overlay.manyLines ? typedLines : typed)(overlay.field, key);
  return step(next ? { ...model, overlay: { ...overlay, field: next, names: undefined } } : model);
}

function completePath(model: Model, overlay: Input, only: 'files' | 'directories'): Step {
  const path = overlay.field.text;
  return step(model, {
    type: 'complete',
    path,
    only,
    then(later, names) {
      const now = later.overlay;
      // The path has changed since Tab: these names do not complete it.
      if (now?.kind !== 'input' || now.field.text !== path) return step(later);
      const longer = names.length === 0 ? path : commonPrefix(names);
      return step({
        ...later,
        overlay: { ...now, field: field(longer), names: names.length === 1 ? undefined : names },
      });
    },
  });
}

/** The longest common prefix. */
export function commonPrefix([first = '', ...others]: readonly string[]): string {
  const letters = [...first];
  let count = letters.length;
  for (const other of others) {
    const differs = [...other].findIndex((letter, nth) => letter !== letters[nth]);
    count = Math.min(count, differs < 0 ? [...other].length : differs);
  }
  return letters.slice(0, count).join('');
}

export function inputLines(overlay: Input, columns: number, rows: number): Line[] {
  const { description, complete, label = 'send', manyLines, editor } = overlay;
  const key = (name: string, does: string) => [span(name, theme.key), span(` ${does}   `)];
  const keys = line(
    ...key('Enter', label),
    ...(manyLines ? key('Ctrl-J', 'new line') : []),
    ...(editor ? key('Ctrl-E', '$EDITOR') : []),
    ...(complete ? key('Tab', 'complete') : []),
    ...key('Esc', 'cancel'),
  );
  const explained = description === undefined ? [] : wrap(description, columns, theme.muted);
  const typedIn = fieldLines(overlay.field, columns, Math.max(1, rows - 4 - explained.length));
  const room = Math.max(0, rows - 2 - typedIn.length - explained.length);
  return [...typedIn, ...explained, ...nameLines(overlay, columns, room), EMPTY, keys];
}

/** The names that Tab found, without the directory they share. */
function nameLines({ names, field }: Input, columns: number, rows: number): Line[] {
  if (names === undefined || rows === 0) return [];
  if (names.length === 0) return [line(span('No name starts like this.', theme.muted))];
  const known = field.text.lastIndexOf('/') + 1;
  const lines = wrap(names.map((name) => name.slice(known)).join('  '), columns, theme.accent);
  return lines.length <= rows ? lines : [...lines.slice(0, rows - 1), line(span('… and more', theme.muted))];
}

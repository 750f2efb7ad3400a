import { describe, expect, it } from 'vitest';
import type { Model } from '../../../tui/model/model.ts';
import { screenState } from '../../../tui/model/place.ts';
import { line, textOf } from '../../../tui/text/line.ts';
import { createReader, READER_START } from '../../../tui/widgets/reader.ts';
import { givenModel, typing } from '../given.ts';

const LINES = Array.from({ length: 100 }, (_, nth) => line(nth % 30 === 7 ? `needle ${nth}` : `hay ${nth}`));
const reader = createReader({
  name: 'text',
  state: screenState('text', READER_START),
  lines: () => LINES,
  rows: () => 10,
});

function press(model: Model, ...keys: string[]): Model {
  return keys.reduce((now, key) => {
    if (reader.typing(now)) return reader.onKey(now, key)?.model ?? now;
    const binding = reader.bindings.find((each) => each.keys.includes(key));
    return (binding?.disabled?.(now) === undefined ? binding?.run(now) : undefined)?.model ?? now;
  }, model);
}
const seen = (model: Model) => reader.view(model, { columns: 20, rows: 10 }).map((each) => textOf(each).trimEnd());

describe('a text that is read', () => {
  it('shows the first match while one types, and goes to the next one and around', () => {
    const found = press(givenModel(), '/', ...typing('needle'));
    expect(seen(found).slice(0, 9)).toEqual(LINES.slice(3, 12).map(textOf));
    expect(seen(found)[9]).toBe('/needle   1 of 4');
    const kept = press(found, 'enter');
    expect(seen(press(kept, 'n')).at(-1)).toBe('/needle  2 of 4');
    expect(seen(press(kept, 'N')).at(-1)).toBe('/needle  4 of 4');
    expect(seen(press(kept, 'n', 'n', 'n', 'n')).at(-1)).toBe('/needle  1 of 4');
  });

  it('ends the search with Esc, and with another text', () => {
    const kept = press(givenModel(), '/', ...typing('needle'), 'enter');
    expect(seen(reader.onKey(kept, 'escape')?.model ?? kept)).toHaveLength(10);
    expect(reader.onKey(givenModel(), 'escape')).toBeUndefined();
    expect(seen(reader.reset(press(kept, 'n')))[0]).toBe('hay 0');
  });
});

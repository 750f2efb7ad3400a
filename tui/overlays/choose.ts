import { type Choice, type Model, type OverlayOf, type Step, step } from '../model/model.ts';
import { type Line, line, lineWidth, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { rank } from './fuzzy.ts';
import { pickKey, pickLines } from './pick.ts';

type Choose = OverlayOf<'choose'>;

function matching({ choices, field }: Choose): readonly Choice[] {
  return rank(field.text, choices, ({ label }) => label);
}

export function onChooseKey(model: Model, overlay: Choose, key: string): Step {
  const closed = { ...model, overlay: undefined };
  const shown = matching(overlay);
  const next = pickKey(overlay, shown.length, key);
  if (next === 'closed') return step(closed);
  if (next !== 'picked') return step({ ...model, overlay: { ...overlay, ...next } });
  const choice = shown[overlay.selected];
  return choice === undefined ? step(model) : overlay.then(closed, choice.value);
}

export function chooseLines(overlay: Choose, columns: number, rows: number): Line[] {
  const draw = ({ label, description }: Choice): Line => {
    const name = line(span(label, theme.title));
    return description === undefined ? name : line(...name, ' '.repeat(Math.max(2, 24 - lineWidth(name))), description);
  };
  return pickLines(overlay, matching(overlay), draw, { columns, rows });
}

import { keyName } from '../keys/binding.ts';
import type { Model } from '../model/model.ts';
import type { OverlayOf } from '../model/overlay.ts';
import { type Step, step } from '../model/step.ts';
import { EMPTY, type Line, line, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';

/** Only its own key says yes. */
export function onConfirmKey(closed: Model, overlay: OverlayOf<'confirm'>, key: string): Step {
  return key === overlay.yes ? overlay.then(closed) : step(closed);
}

/** A long explanation is cut so that the keys are always seen. */
export function confirmLines(overlay: OverlayOf<'confirm'>, columns: number, rows: number): Line[] {
  const { question, detail, yes, label = 'yes' } = overlay;
  const keys = line(span(keyName(yes), theme.key), ` ${label}   `, span('any other key', theme.key), ' no, leave it');
  const said = [...wrap(question, columns), ...(detail === undefined ? [] : wrap(detail, columns, theme.muted))];
  return [...said.slice(0, Math.max(1, rows - 2)), EMPTY, keys];
}

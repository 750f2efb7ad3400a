import { fitWidth, type Line, span, withStyle } from '../text/line.ts';
import { theme } from '../text/theme.ts';

/** A row that can be selected, across so many cells; its text has one cell less, for the mark of the one that is. */
export function selectableRow(text: Line, isSelected: boolean, columns: number): Line {
  const drawn = fitWidth([span(isSelected ? '▌' : ' ', theme.accent), ...text], columns);
  return isSelected ? withStyle(drawn, theme.selected) : drawn;
}

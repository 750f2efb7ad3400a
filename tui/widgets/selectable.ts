import { type Line, over, sized, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';

/** A row that can be selected, across so many cells; its text has one cell less, for the mark of the one that is. */
export function selectable(text: Line, isSelected: boolean, columns: number): Line {
  const drawn = sized([span(isSelected ? '▌' : ' ', theme.accent), ...text], columns);
  return isSelected ? over(drawn, theme.selected) : drawn;
}

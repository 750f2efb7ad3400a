import type { IBufferCell, IBufferLine } from '@xterm/headless';
import { visible } from '../../../schemas/text/visible.ts';

/** A row of a terminal as text, without empty cells at its end. With or without colours. */
export function rowText(line: IBufferLine, options: { color: boolean; columns?: number }): string {
  const width = Math.min(line.length, options.columns ?? Number.POSITIVE_INFINITY);
  if (!options.color) return visible(line.translateToString(true, 0, width));
  const cell = line.getCell(0);
  let text = '';
  /** The text so far that has one style. */
  let run = '';
  let style = '';
  for (let column = 0; cell !== undefined && column < width; column += 1) {
    line.getCell(column, cell);
    // Skip the second half of a wide character, and a wide character that does not fit.
    if (cell.getWidth() === 0 || column + cell.getWidth() > width) continue;
    const next = cell.isAttributeDefault() ? '' : styleOf(cell);
    if (next !== style) {
      text += styled(run, style);
      [run, style] = ['', next];
    }
    run += cell.getChars() || ' ';
  }
  return text + styled(style === '' ? run.trimEnd() : run, style);
}

function styled(run: string, style: string): string {
  if (style === '' || run === '') return visible(run);
  return `\u001b[0;${style}m${visible(run)}\u001b[m`;
}

/** The parameters of the sequence that sets the cell's style; empty for plain text. */
function styleOf(cell: IBufferCell): string {
  const flags: [number, string][] = [
    [cell.isBold(), '1'],
    [cell.isDim(), '2'],
    [cell.isItalic(), '3'],
    [cell.isUnderline(), '4'],
    [cell.isInverse(), '7'],
    [cell.isStrikethrough(), '9'],
  ];
  const colours = [
    colour(3, cell.isFgPalette(), cell.isFgRGB(), cell.getFgColor()),
    colour(4, cell.isBgPalette(), cell.isBgRGB(), cell.getBgColor()),
  ];
  const set = flags.filter(([isSet]) => isSet).map(([, code]) => code);
  return [...set, ...colours.filter((code) => code !== '')].join(';');
}

/** `base` is 3 for the foreground and 4 for the background. */
function colour(base: 3 | 4, isPalette: boolean, isRgb: boolean, value: number): string {
  if (isRgb) return `${base}8;2;${value >> 16};${(value >> 8) & 255};${value & 255}`;
  if (!isPalette) return '';
  return value < 8 ? `${base}${value}` : `${base}8;5;${value}`;
}

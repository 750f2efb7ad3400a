import { fitWidth, type Line, line, lineWidth, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';

/** Lines in a frame with a title. `columns` includes the frame. */
export function box(title: string, lines: readonly Line[], columns: number): Line[] {
  const inner = columns - 2;
  const name = title === '' ? [] : line(' ', span(title, theme.title), ' ');
  const edge = '─'.repeat(Math.max(0, inner - 1 - lineWidth(name)));
  const look = theme.accent;
  return [
    fitWidth([span('╭─', look), ...name, span(edge, look), span('╮', look)], columns),
    ...lines.map((each): Line => [span('│', look), ...fitWidth(each, inner), span('│', look)]),
    [span(`╰${'─'.repeat(inner)}╯`, look)],
  ];
}

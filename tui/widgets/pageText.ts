import { beginOf } from '../../schemas/sheet/documentLine.ts';
import { formatDocument } from '../../schemas/sheet/formatDocument.ts';
import type { SheetLine } from '../../schemas/sheet/sheetLines.ts';
import { visible } from '../../schemas/text/visible.ts';
import { inlineMarkdown } from '../text/inlineMarkdown.ts';
import { EMPTY, fitWidth, type Line, line, lineWidth, type Style, span, wrap, wrapLine } from '../text/line.ts';
import { theme } from '../text/theme.ts';

/** A wider mark stands on a line of its own. */
const MOST_MARK = 18;
const LEAST_TEXT = 16;
const BELOW_MARK = 2;

/** The lines of a page, wrapped and in colour. */
export function pageText(lines: readonly SheetLine[], columns: number): Line[] {
  return lines.flatMap((each) => lineText(each, columns));
}

/** A formatted artifact. */
export function documentText(content: string, schema: string, columns: number): Line[] {
  return pageText(formatDocument(content, schema), columns);
}

/** The same text without styles and wrapping, to compare two attempts. */
export function documentWords(content: string, schema: string): string[] {
  return formatDocument(content, schema).map((each) => `${beginOf(each)}${each.text}`.trimEnd());
}

/** The artifact as it was written. */
export function rawText(content: string, columns: number): Line[] {
  return content.split('\n').flatMap((each) => wrap(each, columns));
}

function lineText(of: SheetLine, columns: number): Line[] {
  if (of.text === '' && of.mark === undefined) return [EMPTY];
  const indent = ' '.repeat(Math.min(of.depth * 2, Math.max(0, columns - LEAST_TEXT)));
  const begin = line(indent, ...(of.mark === undefined ? [] : [span(of.mark, markStyle(of)), ' ']));
  const width = lineWidth(begin);
  if (width - indent.length > MOST_MARK || width > columns - LEAST_TEXT) {
    const hang = indent.length + BELOW_MARK;
    const below = of.text === '' ? [] : bodyText(of, columns - hang);
    return [...wrapLine(begin, columns), ...below.map((each) => moved(each, hang))];
  }
  const [first = EMPTY, ...rest] = bodyText(of, columns - width);
  return [line(...begin, ...first), ...rest.map((each) => moved(each, width))];
}

function moved(text: Line, cells: number): Line {
  return [...fitWidth(EMPTY, cells), ...text];
}

function bodyText(of: SheetLine, columns: number): Line[] {
  const style = styleOf(of);
  const text = of.as === 'code' ? visible(of.text, 'code') : of.text;
  return of.isMarkdown ? wrapLine(inlineMarkdown(text, style), columns) : wrap(text, columns, style);
}

function styleOf({ as, tone }: SheetLine): Style | undefined {
  if (as === 'heading') return { ...theme.title, ...theme.accent };
  return tone === undefined ? undefined : theme[tone];
}

function markStyle({ as, tone }: SheetLine): Style {
  if (tone !== undefined) return theme[tone];
  return as === 'item' ? theme.accent : theme.muted;
}

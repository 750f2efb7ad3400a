import { inlineMarkdown } from '../text/inlineMarkdown.ts';
import {
  EMPTY,
  fitWidth,
  type Line,
  line,
  lineWidth,
  type Span,
  type Style,
  span,
  textOf,
  wrap,
  wrapLine,
} from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { type Align, tableLines } from './textTable.ts';

const FENCE = /^\s{0,3}(`{3,}(?!.*`)|~{3,})/;
const HEADING = /^(#{1,6})\s+(\S.*)$/;
const RULE = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^\s{0,3}>\s?/;
const DELIMITERS = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
/** Longer lines are not parsed: no person writes them, and parsing would take long. */
const MAX_LINE = 2_000;
/** Deeper quotes are shown as text. */
const MAX_QUOTES = 8;

/** Markdown as lines of at most so many cells. Unknown markup is shown as it was written. Pure. */
export function markdownLines(text: string, columns: number): Line[] {
  return blocks(text.replaceAll('\r\n', '\n').split('\n'), Math.max(8, columns), 0);
}

function blocks(source: readonly string[], columns: number, depth: number): Line[] {
  const out: Line[] = [];
  let at = 0;
  /** Puts one empty line between two blocks. */
  const apart = () => {
    if (out.length > 0 && textOf(out.at(-1) ?? EMPTY).trim() !== '') out.push(EMPTY);
  };
  while (at < source.length) {
    const current = source[at] ?? '';
    const fence = FENCE.exec(current);
    const heading = HEADING.exec(current);
    const item = ITEM.exec(current);
    if (current.length > MAX_LINE) {
      out.push(...wrap(current, columns));
      at += 1;
    } else if (current.trim() === '') {
      apart();
      at += 1;
    } else if (fence) {
      const end = fenceEnd(source, at, fence[1] ?? '```');
      out.push(...codeLines(source.slice(at + 1, end), columns));
      at = end + 1;
    } else if (heading) {
      apart();
      out.push(...headingLines(heading[1]?.length ?? 1, heading[2] ?? '', columns));
      at += 1;
    } else if (RULE.test(current)) {
      out.push(line(span('─'.repeat(columns), theme.muted)));
      at += 1;
    } else if (current.includes('|') && DELIMITERS.test(source[at + 1] ?? '') && source[at + 1]?.includes('-')) {
      const end = endOf(source, at + 2, (each) => each.includes('|') && each.trim() !== '');
      out.push(...table(source.slice(at, end), columns));
      at = end;
    } else if (QUOTE.test(current) && depth < MAX_QUOTES && columns > 10) {
      const end = endOf(source, at, (each) => QUOTE.test(each));
      const inner = source.slice(at, end).map((each) => each.replace(QUOTE, ''));
      out.push(...blocks(inner, columns - 2, depth + 1).map((each) => line(span('│ ', theme.muted), ...each)));
      at = end;
    } else if (item) {
      const end = endOf(source, at + 1, isMore);
      out.push(...itemLines(item, source.slice(at + 1, end), columns));
      at = end;
    } else {
      const end = endOf(source, at + 1, isMore);
      out.push(...paragraph(source.slice(at, end), columns));
      at = end;
    }
  }
  while (out.length > 0 && textOf(out.at(-1) ?? EMPTY).trim() === '') out.pop();
  return out;
}

/** True for a line that continues the paragraph or item above. */
function isMore(text: string): boolean {
  if (text.trim() === '' || text.length > MAX_LINE) return false;
  return ![FENCE, HEADING, RULE, ITEM, QUOTE].some((start) => start.test(text));
}

function endOf(source: readonly string[], from: number, belongs: (text: string) => boolean): number {
  let at = from;
  while (at < source.length && belongs(source[at] ?? '')) at += 1;
  return at;
}

function fenceEnd(source: readonly string[], at: number, fence: string): number {
  const closing = (text: string) => text.trim().startsWith(fence) && !/[^`~]/.test(text.trim());
  return endOf(source, at + 1, (text) => !closing(text));
}

function headingLines(level: number, text: string, columns: number): Line[] {
  const style: Style = level === 1 ? { ...theme.title, ...theme.accent } : theme.title;
  const lines = wrapLine(inlineMarkdown(text.replace(/\s+#+\s*$/, ''), style), columns);
  const width = Math.max(...lines.map(lineWidth));
  const under = { 1: '═', 2: '─' }[level];
  return under === undefined ? lines : [...lines, line(span(under.repeat(width), theme.muted))];
}

/** Code is wrapped, and never parsed for markup. */
function codeLines(code: readonly string[], columns: number): Line[] {
  return code.flatMap((each) => wrap(each, columns - 2)).map((each) => line(span('▏ ', theme.muted), ...each));
}

function itemLines([, indent = '', mark = '', first = '']: RegExpExecArray, more: string[], columns: number): Line[] {
  const depth = ' '.repeat(Math.min(indent.replaceAll('\t', '    ').length, Math.max(0, columns - 12)));
  const sign = /^\d/.test(mark) ? mark : '•';
  const [, box, rest] = /^\[([ xX])\] (.*)$/.exec(first) ?? [undefined, undefined, first];
  const begin: Span[] = [span(`${depth}${sign} `, theme.muted)];
  if (box !== undefined) begin.push(span(box === ' ' ? '[ ] ' : '[x] ', box === ' ' ? theme.muted : theme.good));
  const width = lineWidth(begin);
  return paragraph([rest ?? '', ...more], columns - width).map((each, nth) =>
    nth === 0 ? line(...begin, ...each) : [...fitWidth(EMPTY, width), ...each],
  );
}

/** Adjacent lines become one, except after two spaces or a backslash at the end. */
function paragraph(source: readonly string[], columns: number): Line[] {
  const kept = source.map((each, nth) => {
    const isLast = nth === source.length - 1;
    return isLast ? each.trim() : / {2,}$|\\$/.test(each) ? `${each.trim().replace(/\\$/, '')}\n` : `${each.trim()} `;
  });
  return kept
    .join('')
    .split('\n')
    .flatMap((each) => wrapLine(inlineMarkdown(each), columns));
}

function table(source: readonly string[], columns: number): Line[] {
  const [heads = [], marks = [], ...rows] = source.map(cellsOf);
  const aligns = marks.map((mark): Align => {
    const [left, right] = [mark.startsWith(':'), mark.endsWith(':')];
    return left && right ? 'center' : right ? 'right' : 'left';
  });
  const titles = heads.map((cell) => inlineMarkdown(cell, theme.title));
  const width = titles.length;
  const cells = rows.map((row) => row.slice(0, width).map((cell) => inlineMarkdown(cell)));
  return tableLines([titles, ...cells], columns, aligns);
}

/** A bar in a cell is written `\|`. */
function cellsOf(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

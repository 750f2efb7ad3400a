import { usage } from './parse.ts';

/** One thing to do of a list: the requirements of one run. */
export interface Item {
  /** Its first line. */
  title: string;
  /** All of it, as the file has it, without the marker of the item. */
  text: string;
}

const MOST_ITEMS = 200;
const LONGEST_ITEM = 256 * 1024;

const utf8 = new TextEncoder();

/**
 * The items of a Markdown file: its unchecked tasks (`- [ ] …`), each with what is indented below. Without tasks: its sections
 * (`## …`). A block of code has no items. Throws usage if there is none, or more than can be meant.
 */
export function eachItems(text: string, file: string): Item[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const marks = marksOf(lines);
  const starts = marks.some(({ kind }) => kind === 'task' || kind === 'done')
    ? tasksIn(lines, marks)
    : sectionsIn(lines, marks);
  const items = starts.filter(({ text: each }) => each.trim() !== '');
  if (items.length === 0) throw usage(`${file} has no item: write "- [ ] …" lines, or "## …" sections`);
  if (items.length > MOST_ITEMS) throw usage(`${file} has ${items.length} items, and ${MOST_ITEMS} are the most`);
  const long = items.findIndex((item) => utf8.encode(item.text).length > LONGEST_ITEM);
  if (long >= 0) throw usage(`item ${long + 1} of ${file} is longer than ${LONGEST_ITEM / 1024} KB`);
  return items;
}

interface Mark {
  /** `other`: a line of text. `code`: a line of a block of code, or its fence. */
  kind: 'task' | 'done' | 'section' | 'heading' | 'other' | 'code' | 'blank';
  /** Columns before the text. */
  indent: number;
  /** The text of a task or of a section. */
  text: string;
}

/** What each line is. Each expression reads a line once, however long it is. */
function marksOf(lines: readonly string[]): Mark[] {
  let fence: { sign: string; length: number } | undefined;
  return lines.map((line): Mark => {
    const trimmed = line.trimStart();
    const indent = columnsOf(line.slice(0, line.length - trimmed.length));
    const run = /^(`{3,}|~{3,})/.exec(trimmed)?.[0];
    if (fence) {
      const isEnd = run?.startsWith(fence.sign) && run.length >= fence.length && trimmed.trim() === run;
      if (isEnd) fence = undefined;
      return { kind: 'code', indent, text: '' };
    }
    if (run !== undefined) {
      fence = { sign: run.charAt(0), length: run.length };
      return { kind: 'code', indent, text: '' };
    }
    if (trimmed === '') return { kind: 'blank', indent, text: '' };
    const task = /^[-*+] \[([ xX])\](?:[ \t]|$)/.exec(trimmed);
    if (task) return { kind: task[1] === ' ' ? 'task' : 'done', indent, text: trimmed.slice(task[0].length) };
    const level = indent < 4 ? /^#{1,6}(?=[ \t]|$)/.exec(trimmed)?.[0].length : undefined;
    if (level === undefined) return { kind: 'other', indent, text: '' };
    return {
      kind: level === 2 ? 'section' : 'heading',
      indent,
      text: level === 2 ? headingText(trimmed.slice(2)) : '',
    };
  });
}

function columnsOf(blanks: string): number {
  let columns = 0;
  for (const blank of blanks) columns = blank === '\t' ? columns + 4 - (columns % 4) : columns + 1;
  return columns;
}

/** Without closing signs: `## Title ##`. */
function headingText(text: string): string {
  const trimmed = text.trim();
  const closing = trimmed.lastIndexOf(' #');
  return closing >= 0 && /^#+$/.test(trimmed.slice(closing + 1)) ? trimmed.slice(0, closing).trimEnd() : trimmed;
}

/** A task has what is indented more than it, also tasks, which are its parts. One that is done, or part of one, is no item. */
function tasksIn(lines: readonly string[], marks: readonly Mark[]): Item[] {
  const items: Item[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const mark = marks[at];
    if (mark?.kind !== 'task' && mark?.kind !== 'done') continue;
    let end = at + 1;
    while (end < lines.length && isBelow(marks[end], mark.indent)) end += 1;
    if (mark.kind === 'task') items.push(itemOf(mark.text, lines.slice(at + 1, end)));
    at = end - 1;
  }
  return items;
}

const isBelow = (mark: Mark | undefined, indent: number) => mark?.kind === 'blank' || (mark?.indent ?? 0) > indent;

/** A section ends at the next heading of its level, or of the one above. */
function sectionsIn(lines: readonly string[], marks: readonly Mark[]): Item[] {
  const items: Item[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const mark = marks[at];
    if (mark?.kind !== 'section') continue;
    let end = at + 1;
    while (end < lines.length && !endsSection(lines[end] ?? '', marks[end])) end += 1;
    items.push(itemOf(mark.text, lines.slice(at + 1, end)));
    at = end - 1;
  }
  return items;
}

function endsSection(line: string, mark: Mark | undefined): boolean {
  return mark?.kind === 'section' || (mark?.kind === 'heading' && /^\s*#(?!#)/.test(line));
}

function itemOf(first: string, below: readonly string[]): Item {
  const title = first.trim();
  const rest = withoutIndent(below).join('\n').trimEnd().replace(/^\n+/, '');
  const text = [title, rest].filter((part) => part !== '').join('\n\n');
  return { title: title || (rest.split('\n')[0]?.trim() ?? ''), text };
}

/** The lines without the blanks that all of them begin with. */
function withoutIndent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const least = indents.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  return Number.isFinite(least) ? lines.map((line) => line.slice(least)) : [];
}

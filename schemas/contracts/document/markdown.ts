/** A heading outside of fenced blocks. */
export interface Heading {
  level: number;
  text: string;
  line: number;
}

/** A fenced block, with the text between its fences. */
export interface Fence {
  info: string;
  text: string;
  /** The line of the opening fence. */
  line: number;
  isClosed: boolean;
}

export interface Outline {
  headings: Heading[];
  fences: Fence[];
  /** The lines, as numbered. Lines inside a fence are empty here. */
  prose: string[];
}

const OPENS = /^([ \t]*)(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;

/** The headings and fenced blocks of a Markdown text. `firstLine` is the number of its first line in the file. */
export function outline(text: string, firstLine = 1): Outline {
  const headings: Heading[] = [];
  const fences: Fence[] = [];
  const prose: string[] = [];
  let open: { fence: Fence; mark: string; indent: number; lines: string[] } | undefined;
  let line = firstLine - 1;
  for (const whole of text.split(/\r?\n/)) {
    line += 1;
    if (open) {
      prose.push('');
      const closing = whole.trim();
      if (closing.startsWith(open.mark) && closing.replaceAll(open.mark[0] as string, '') === '') {
        fences.push({ ...open.fence, text: open.lines.join('\n'), isClosed: true });
        open = undefined;
      } else {
        open.lines.push(unindent(whole, open.indent));
      }
      continue;
    }
    // Most lines are neither, and the patterns cost more than this look.
    const first = firstSign(whole);
    const opens = first === '`' || first === '~' ? OPENS.exec(whole) : null;
    if (opens) {
      const [, space = '', mark = '', info = ''] = opens;
      open = { fence: { info: info.trim(), text: '', line, isClosed: false }, mark, indent: space.length, lines: [] };
      prose.push('');
      continue;
    }
    prose.push(whole);
    if (first !== '#') continue;
    const [, marks, title = ''] = HEADING.exec(whole) ?? [];
    if (marks) headings.push({ level: marks.length, text: withoutClosingMarks(title), line });
  }
  if (open) fences.push({ ...open.fence, text: open.lines.join('\n') });
  return { headings, fences, prose };
}

/** True if there is a section `## Name`, letter by letter. */
export function hasSection({ headings }: Pick<Outline, 'headings'>, name: string): boolean {
  return headings.some(({ level, text }) => level === 2 && text === name);
}

function firstSign(line: string): string | undefined {
  let at = 0;
  while (line[at] === ' ' || line[at] === '\t') at += 1;
  return line[at];
}

function unindent(line: string, most: number): string {
  let at = 0;
  while (at < most && (line[at] === ' ' || line[at] === '\t')) at += 1;
  return line.slice(at);
}

function withoutClosingMarks(title: string): string {
  const text = title.trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end -= 1;
  return end === 0 || /[ \t]/.test(text[end - 1] as string) ? text.slice(0, end).trimEnd() : text;
}

/** The text with the line ends of the file that it replaces. The first line of that file decides. */
export function withLineEndsOf(old: string, text: string): string {
  return /^[^\n]*\r\n/.test(old) ? text.replace(/\r?\n/g, '\r\n') : text;
}

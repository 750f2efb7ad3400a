import { visible } from '../../schemas/text/visible.ts';

/** Markdown from untrusted text: none of it can open a heading, a fence, a link or a tag. */

/** One line, with everything escaped that Markdown could read as markup or as a link. */
export function inline(text: string): string {
  return oneLine(text).replaceAll(
    /[\\`*_{}[\]()<>#|~!&$]|(?<=\w)@(?=[\w-]+\.)|:(?=\/\/)|(?<=\bwww)\.|^(?:[-+=]|\d+(?=[.)]))/gi,
    escaped,
  );
}

function escaped(found: string): string {
  // A backslash cannot escape a digit; an entity keeps it from starting a list.
  return /^\d/.test(found) ? `&#${found.charCodeAt(0)};${found.slice(1)}` : `\\${found}`;
}

/** A code span of any text. Tables differ on a bar inside a code span, so text with a bar is escaped instead. */
export function code(text: string): string {
  const body = oneLine(text);
  if (body === '' || body.includes('|')) return inline(text);
  const ticks = '`'.repeat(longestRun(body) + 1);
  const pad = body.startsWith('`') || body.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${body}${pad}${ticks}`;
}

/** A fenced block. Its fence is longer than any fence inside it. */
export function fenced(text: string, info = 'text'): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${info}\n${visible(text, 'text').replace(/\n+$/, '')}\n${fence}`;
}

/** A table; the cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function oneLine(text: string): string {
  return visible(text.trim());
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
}

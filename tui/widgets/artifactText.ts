import { EMPTY, type Line, line, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { markdownLines } from './markdown.ts';

/** An artifact as a person reads it. JSON becomes headings, lists and paragraphs. */
export function artifactLines(content: string, columns: number): Line[] {
  const value = parsed(content);
  if (value === undefined) return markdownLines(content, columns);
  return block(value, { columns, depth: 0, paragraph: markdownLines });
}

/** The same text without styles and wrapping, to compare two attempts. */
export function artifactWords(content: string): string[] {
  const value = parsed(content);
  if (value === undefined) return content.split('\n');
  const paragraph = (text: string): Line[] => text.split('\n').map((each) => line(each));
  return block(value, { columns: Number.MAX_SAFE_INTEGER, depth: 0, paragraph }).map((each) =>
    each.map(({ text }) => text).join(''),
  );
}

/** The artifact as it was written. */
export function rawLines(content: string, columns: number): Line[] {
  return content.split('\n').flatMap((each) => wrap(each, columns));
}

function parsed(content: string): object | undefined {
  try {
    const value = JSON.parse(content) as unknown;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

interface Layout {
  readonly columns: number;
  readonly depth: number;
  paragraph(text: string, columns: number): Line[];
}

/** Deeper values are shown as JSON. No schema of devflow nests deeper, but an agent can write anything. */
const MAX_DEPTH = 6;
const MIN_COLUMNS = 16;

function block(value: unknown, layout: Layout): Line[] {
  if (typeof value === 'string') return layout.paragraph(value, layout.columns);
  if (typeof value !== 'object' || value === null) return [line(String(value))];
  if (layout.depth > MAX_DEPTH || layout.columns < MIN_COLUMNS) return wrapped(JSON.stringify(value), layout);
  return Array.isArray(value) ? list(value, layout) : fields(Object.entries(value), layout);
}

/** A top-level field has its own heading. A short nested value stands beside its name. */
function fields(entries: readonly (readonly [string, unknown])[], layout: Layout): Line[] {
  return entries.flatMap(([name, value], nth): Line[] => {
    const heading = headingOf(name);
    const short = shortText(value);
    if (layout.depth === 0) {
      const apart = nth === 0 ? [] : [EMPTY];
      const title = line(span(heading, { ...theme.title, ...theme.accent }));
      if (short !== undefined && heading.length + short.length + 2 <= Math.min(layout.columns, 60))
        return [...apart, line(...title, '  ', short)];
      return [...apart, title, ...indented(value, layout)];
    }
    if (short !== undefined && heading.length + short.length + 2 <= layout.columns)
      return [line(span(`${heading}: `, theme.muted), short)];
    return [line(span(`${heading}:`, theme.muted)), ...indented(value, layout)];
  });
}

function indented(value: unknown, layout: Layout): Line[] {
  const inner = { ...layout, columns: layout.columns - 2, depth: layout.depth + 1 };
  return block(value, inner).map((each) => (each.length === 0 ? each : line('  ', ...each)));
}

function list(items: readonly unknown[], layout: Layout): Line[] {
  if (items.length === 0) return [line(span('none', theme.muted))];
  const inner = { ...layout, columns: layout.columns - 2, depth: layout.depth + 1 };
  return items.flatMap((item, nth): Line[] => {
    const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
    const lines = isObject ? named(item as Record<string, unknown>, inner) : block(item, inner);
    const shown = lines.map((each, at) => (at === 0 ? line(span('• ', theme.accent), ...each) : line('  ', ...each)));
    return isObject && nth > 0 && lines.length > 2 ? [EMPTY, ...shown] : shown;
  });
}

/** The fields that name an item of a list, best first. */
const NAMES = ['id', 'key', 'path', 'roleId', 'title', 'name', 'text'] as const;

/** An item of a list: its names in the first line, then its other fields. */
function named(item: Record<string, unknown>, layout: Layout): Line[] {
  const isName = (name: string): boolean => {
    const value = item[name];
    return typeof value === 'string' && value !== '' && !value.includes('\n');
  };
  const used = NAMES.filter(isName).slice(0, 2);
  const rest = Object.entries(item).filter(([name]) => !(used as string[]).includes(name));
  if (used.length === 0) return fields(rest, layout);
  const title = used.map((name) => String(item[name])).join('  ');
  return [...wrapped(title, layout, theme.title), ...fields(rest, layout)];
}

function wrapped(text: string, { columns }: Layout, look?: typeof theme.title): Line[] {
  return columns === Number.MAX_SAFE_INTEGER ? [line(span(text, look))] : wrap(text, columns, look);
}

/** A value short enough to stand beside its name; undefined for a longer one. */
function shortText(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    const isFew = value.every((each) => typeof each === 'string' && each.length < 40 && !each.includes(' '));
    return isFew && value.length <= 4 ? value.join(', ') : undefined;
  }
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0 ? 'none' : undefined;
  const text = String(value);
  // Text with markup needs a paragraph.
  return text.length > 60 || /[\n*`#[]/.test(text) ? undefined : text;
}

/** `openQuestions` → `Open questions`. */
function headingOf(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

import { EMPTY, type Line, line, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { markdownLines } from './markdown.ts';

/** What an agent wrote, as a person reads it: of JSON its fields as headings, lists and paragraphs. */
export function artifactLines(content: string, columns: number): Line[] {
  const value = parsed(content);
  if (value === undefined) return markdownLines(content, columns);
  return block(value, { columns, depth: 0, paragraph: markdownLines });
}

/** The same without looks and without a width: what two attempts are compared by. */
export function artifactWords(content: string): string[] {
  const value = parsed(content);
  if (value === undefined) return content.split('\n');
  const paragraph = (text: string): Line[] => text.split('\n').map((each) => line(each));
  return block(value, { columns: Number.MAX_SAFE_INTEGER, depth: 0, paragraph }).map((each) =>
    each.map(({ text }) => text).join(''),
  );
}

/** As it was written. */
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

interface Way {
  readonly columns: number;
  readonly depth: number;
  paragraph(text: string, columns: number): Line[];
}

/** Deeper than this it is not laid out any more: no schema of ours goes there, and an agent may write anything. */
const MOST_DEPTH = 6;
const LEAST_COLUMNS = 16;

function block(value: unknown, way: Way): Line[] {
  if (typeof value === 'string') return way.paragraph(value, way.columns);
  if (typeof value !== 'object' || value === null) return [line(String(value))];
  if (way.depth > MOST_DEPTH || way.columns < LEAST_COLUMNS) return wrapped(JSON.stringify(value), way);
  return Array.isArray(value) ? list(value, way) : fields(Object.entries(value), way);
}

/** At the top each field has a heading of its own; below, short values stand beside their names. */
function fields(entries: readonly (readonly [string, unknown])[], way: Way): Line[] {
  return entries.flatMap(([name, value], nth): Line[] => {
    const heading = headingOf(name);
    const short = shortly(value);
    if (way.depth === 0) {
      const apart = nth === 0 ? [] : [EMPTY];
      const title = line(span(heading, { ...theme.title, ...theme.accent }));
      if (short !== undefined && heading.length + short.length + 2 <= Math.min(way.columns, 60))
        return [...apart, line(...title, '  ', short)];
      return [...apart, title, ...indented(value, way)];
    }
    if (short !== undefined && heading.length + short.length + 2 <= way.columns)
      return [line(span(`${heading}: `, theme.muted), short)];
    return [line(span(`${heading}:`, theme.muted)), ...indented(value, way)];
  });
}

function indented(value: unknown, way: Way): Line[] {
  const inner = { ...way, columns: way.columns - 2, depth: way.depth + 1 };
  return block(value, inner).map((each) => (each.length === 0 ? each : line('  ', ...each)));
}

function list(items: readonly unknown[], way: Way): Line[] {
  if (items.length === 0) return [line(span('none', theme.muted))];
  const inner = { ...way, columns: way.columns - 2, depth: way.depth + 1 };
  return items.flatMap((item, nth): Line[] => {
    const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
    const lines = isObject ? named(item as Record<string, unknown>, inner) : block(item, inner);
    const shown = lines.map((each, at) => (at === 0 ? line(span('• ', theme.accent), ...each) : line('  ', ...each)));
    return isObject && nth > 0 && lines.length > 2 ? [EMPTY, ...shown] : shown;
  });
}

/** What a thing in a list is called by, in the order that is best. */
const NAMES = ['id', 'key', 'path', 'roleId', 'title', 'name', 'text'] as const;

/** A thing of a list: its id and title as its first line, and then the rest of its fields. */
function named(item: Record<string, unknown>, way: Way): Line[] {
  const isName = (name: string): boolean => {
    const value = item[name];
    return typeof value === 'string' && value !== '' && !value.includes('\n');
  };
  const used = NAMES.filter(isName).slice(0, 2);
  const rest = Object.entries(item).filter(([name]) => !(used as string[]).includes(name));
  if (used.length === 0) return fields(rest, way);
  const title = used.map((name) => String(item[name])).join('  ');
  return [...wrapped(title, way, theme.title), ...fields(rest, way)];
}

function wrapped(text: string, { columns }: Way, look?: typeof theme.title): Line[] {
  return columns === Number.MAX_SAFE_INTEGER ? [line(span(text, look))] : wrap(text, columns, look);
}

/** A value that can stand beside its name. */
function shortly(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    const isFew = value.every((each) => typeof each === 'string' && each.length < 40 && !each.includes(' '));
    return isFew && value.length <= 4 ? value.join(', ') : undefined;
  }
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0 ? 'none' : undefined;
  const text = String(value);
  // Where there may be markup it is laid out as a paragraph.
  return text.length > 60 || /[\n*`#[]/.test(text) ? undefined : text;
}

/** `openQuestions` → `Open questions`. */
function headingOf(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

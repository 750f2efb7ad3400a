import { counted } from '../text/phrases.ts';
import type { DocumentLine } from './documentLine.ts';
import { type Layout, layoutOf } from './layouts.ts';
import { markdownLines } from './markdownLines.ts';

/** Deeper values are shown as JSON. No schema of devflow nests deeper, but an agent can write anything. */
const MOST_DEPTH = 6;
const MOST_LINES = 5_000;
const MOST_CHARACTERS = 4_000;

/**
 * An artifact as a person reads it. JSON becomes headings, lists and paragraphs; everything else stays as it was written. No value
 * becomes a heading, so an agent's text cannot pretend to be a part of the page. Pure and total.
 */
export function formatDocument(content: string, schema: string): DocumentLine[] {
  const value = parsed(content);
  const lines = value === undefined ? textLines(content) : valueLines(value, schema);
  if (lines.length <= MOST_LINES) return lines;
  const rest = counted(lines.length - MOST_LINES, 'more line');
  return [...lines.slice(0, MOST_LINES), { pointer: '', text: `… ${rest}`, as: 'text', depth: 0 }];
}

function parsed(content: string): object | undefined {
  try {
    const value = JSON.parse(content) as unknown;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Text that begins as JSON does is a part of a JSON document, and no Markdown. */
export function beginsAsJson(content: string): boolean {
  return /^\s*[[{]/.test(content);
}

function textLines(content: string): DocumentLine[] {
  if (!beginsAsJson(content)) {
    const lines = markdownLines(content, { pointer: '', depth: 0, headings: true });
    return lines.map((line, nth) => shortened({ ...line, pointer: pointerToLine(nth) }));
  }
  return content.split(/\r?\n/).map((text) => shortened({ pointer: '', text, as: 'code', depth: 0 }));
}

/** A document that is not JSON has its lines as parts, counted from 1. */
export function pointerToLine(nth: number): string {
  return `/${nth + 1}`;
}

function shortened(line: DocumentLine): DocumentLine {
  const { text } = line;
  return text.length <= MOST_CHARACTERS ? line : { ...line, text: `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…` };
}

interface Place {
  layout: Layout;
  pointer: string;
  depth: number;
}

function valueLines(value: object, schema: string): DocumentLine[] {
  const at: Place = { layout: layoutOf(schema), pointer: '', depth: 0 };
  if (Array.isArray(value)) return list(value, at).map(shortened);
  const lines = entriesOf(value, at.layout.first).flatMap(([name, field], nth) => {
    const inner = below(at, name);
    const shown = topField(name, field, inner);
    return nth === 0 ? shown : [{ pointer: '', text: '', as: 'text' as const, depth: 0 }, ...shown];
  });
  return lines.map(shortened);
}

/** The fields in the order of the layout, then the others. */
function entriesOf(value: object, first: readonly string[] = []): [string, unknown][] {
  const entries = Object.entries(value);
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  return entries.sort(([a], [b]) => rank(a) - rank(b));
}

function below({ layout, pointer, depth }: Place, name: string | number, deeper = 0): Place {
  const step = String(name).replaceAll('~', '~0').replaceAll('/', '~1');
  return { layout, pointer: `${pointer}/${step}`, depth: depth + deeper };
}

/** A field of the document: a heading, and its value below; a short value beside it. */
function topField(name: string, value: unknown, at: Place): DocumentLine[] {
  const title = titleOf(name, at.layout);
  const short = shortText(value);
  if (short !== undefined && !isCode(name, at.layout)) {
    return [{ pointer: at.pointer, text: short, as: 'text', depth: 0, mark: `${title}:` }];
  }
  return [{ pointer: at.pointer, text: title, as: 'heading', depth: 0 }, ...block(name, value, at)];
}

function block(name: string, value: unknown, at: Place): DocumentLine[] {
  const { pointer, depth, layout } = at;
  if (typeof value === 'string') {
    if (!isCode(name, layout)) return markdownLines(value, { pointer, depth });
    return value.split(/\r?\n/).map((text) => ({ pointer, text, as: 'code', depth }));
  }
  if (typeof value !== 'object' || value === null) return [{ pointer, text: String(value), as: 'text', depth }];
  if (depth >= MOST_DEPTH) return [{ pointer, text: asJson(value), as: 'code', depth }];
  if (Array.isArray(value)) return list(value, at);
  return entriesOf(value).flatMap(([key, field]) => labelled(key, field, below(at, key)));
}

/** A field of a nested value: its name, and a short value beside it. */
function labelled(name: string, value: unknown, at: Place): DocumentLine[] {
  const { pointer, depth } = at;
  const mark = `${titleOf(name, at.layout)}:`;
  const short = isCode(name, at.layout) ? undefined : shortText(value);
  if (short !== undefined) return [{ pointer, text: short, as: 'text', depth, mark }];
  return [{ pointer, text: '', as: 'text', depth, mark }, ...block(name, value, { ...at, depth: depth + 1 })];
}

function list(items: readonly unknown[], at: Place): DocumentLine[] {
  if (items.length === 0) return [{ pointer: at.pointer, text: 'none', as: 'text', depth: at.depth }];
  return items.flatMap((value, nth) => item(value, below(at, nth)));
}

function item(value: unknown, at: Place): DocumentLine[] {
  const { pointer, depth } = at;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return namedItem(value, at);
  const [first, ...rest] = block('', value, { ...at, depth: depth + 1 });
  if (!first || first.mark !== undefined || first.as === 'code') {
    return [{ pointer, text: '', as: 'item', depth, mark: '•' }, ...(first ? [first] : []), ...rest];
  }
  return [{ ...first, as: 'item', depth, mark: '•' }, ...rest];
}

/** The fields that name an item where the layout does not say it, best first. */
const NAMES = ['title', 'name', 'path', 'roleId', 'key', 'text'] as const;

/** An item with fields: its mark and its names in the first line, then its other fields. */
function namedItem(value: object, at: Place): DocumentLine[] {
  const { layout, pointer, depth } = at;
  const fields = new Map(Object.entries(value));
  const isName = (name: string) => isWord(fields.get(name));
  const markField = layout.mark !== undefined && isName(layout.mark) ? layout.mark : isName('id') ? 'id' : undefined;
  const names = layout.names?.filter(isName) ?? NAMES.filter(isName).slice(0, 1);
  const used = new Set<string>([...(markField === undefined ? [] : [markField]), ...names]);
  const mark = markField === undefined ? '•' : String(fields.get(markField));
  const text = names.map((name) => String(fields.get(name))).join('  ');
  const inner = { ...at, depth: depth + 1 };
  const rest = [...fields].filter(([name, field]) => !used.has(name) && !isEmpty(field));
  const untitled = rest.filter(([name]) => layout.untitled?.includes(name));
  const titled = rest.filter(([name]) => !layout.untitled?.includes(name));
  if (used.size === 0 && rest.length === 0) return [{ pointer, text: 'none', as: 'item', depth, mark }];
  return [
    { pointer, text, as: 'item', depth, mark },
    ...untitled.flatMap(([name, field]) => block(name, field, below(inner, name))),
    ...titled.flatMap(([name, field]) => labelled(name, field, below(inner, name))),
  ];
}

function isWord(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '' && !/[\r\n]/.test(value));
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === null || (Array.isArray(value) && value.length === 0);
}

/** JSON that was read may be too deep to be written. */
function asJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '… (too deep to be shown)';
  }
}

function isCode(name: string, { code = [] }: Layout): boolean {
  return code.includes(name);
}

/** A value short enough to stand beside its name; undefined for a longer one. */
function shortText(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    const isFew = value.every((each) => typeof each === 'string' && each.length < 40 && /^\S+$/.test(each));
    return isFew && value.length <= 4 ? value.join(', ') : undefined;
  }
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0 ? 'none' : undefined;
  const text = String(value);
  // Text with markup needs a paragraph.
  return text.length > 60 || /[\r\n*`#[]/.test(text) ? undefined : text;
}

/** `openQuestions` → `Open questions`. */
function titleOf(name: string, { titles = {} }: Layout): string {
  if (Object.hasOwn(titles, name)) return titles[name] ?? name;
  const words = name
    .replaceAll(/[_\-\s]+/g, ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

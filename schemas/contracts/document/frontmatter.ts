import { shorten } from '../../text/phrases.ts';
import type { ContractCode } from '../report/codes.ts';

/** The value of a field, before anybody knows its kind: `2.0` stays `2.0`. */
export type RawValue =
  | { kind: 'scalar'; raw: string; isQuoted: boolean; line: number }
  | { kind: 'list'; items: RawItem[]; line: number };
export type RawItem = string | Readonly<Record<string, string>>;

export interface Frontmatter {
  fields: ReadonlyMap<string, RawValue>;
  faults: FrontmatterFault[];
  /** The text after the closing line, and the number of its first line. */
  body: string;
  bodyLine: number;
}

export interface FrontmatterFault {
  code: Extract<ContractCode, `FM_${string}`>;
  message: string;
  line: number;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,99}:/;

/**
 * Reads the frontmatter of a Markdown file: scalars and block lists of scalars or of flat maps. It is a small part of
 * YAML, so every program reads the same. A list in brackets is a text, and a map inside a map is refused.
 */
export function parseFrontmatter(file: string): Frontmatter {
  const text = file.replace(/^\uFEFF/, '');
  const start = nextLine(text, 0);
  if (text.slice(0, start).trimEnd() !== '---') {
    const missing = {
      code: 'FM_MISSING' as const,
      message: 'The file does not begin with frontmatter (---).',
      line: 1,
    };
    return { fields: new Map(), faults: [missing], body: withoutReturns(text), bodyLine: 1 };
  }
  // The body may be long, so only the lines before it are split.
  let line = 2;
  for (let at = start; at < text.length; line += 1) {
    const next = nextLine(text, at);
    if (text.slice(at, next).trimEnd() === '---') {
      const { fields, faults } = readFields(text.slice(start, at).split(/\r?\n/).slice(0, -1));
      return { fields, faults, body: withoutReturns(text.slice(next)), bodyLine: line + 1 };
    }
    at = next;
  }
  const open = { code: 'FM_UNTERMINATED' as const, message: 'The frontmatter has no closing line (---).', line: 1 };
  return { fields: new Map(), faults: [open], body: '', bodyLine: line };
}

function withoutReturns(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Where the line after the one at `at` begins. */
function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

interface OpenList {
  value: Extract<RawValue, { kind: 'list' }>;
}

function readFields(lines: readonly string[]): Pick<Frontmatter, 'fields' | 'faults'> {
  const fields = new Map<string, RawValue>();
  const faults: FrontmatterFault[] = [];
  let open: OpenList | undefined;
  for (const [index, whole] of lines.entries()) {
    const line = index + 2;
    const text = whole.trim();
    if (text === '' || text.startsWith('#')) continue;
    if (open && isItem(text)) {
      open.value.items.push(itemOf(text.slice(1).trim()));
      continue;
    }
    const isIndented = /^\s/.test(whole);
    const field = fieldOf(text);
    if (isIndented && open && field && addToMap(open.value.items, field)) continue;
    if (isIndented && field) {
      const message = `“${shorten(text)}” is inside another field; the frontmatter has one level only.`;
      faults.push({ code: 'FM_NESTED', message, line });
    } else if (field) {
      const value = valueIn(field.rest, line);
      open = value.kind === 'list' && field.rest !== '[]' ? { value } : undefined;
      if (isInBraces(field.rest)) {
        faults.push({
          code: 'FM_NESTED',
          message: `${field.name} is a map; the frontmatter has one level only.`,
          line,
        });
      }
      if (fields.has(field.name)) {
        faults.push({ code: 'FM_DUPLICATE_KEY', message: `${field.name} is given twice.`, line });
      } else fields.set(field.name, value);
    } else {
      faults.push({ code: 'FM_SYNTAX', message: `“${shorten(text)}” is no field.`, line });
    }
  }
  for (const [name, value] of fields) if (isEmptyText(value, lines)) fields.set(name, emptyText(value.line));
  return { fields, faults };
}

/** A trimmed line `name: rest`. */
function fieldOf(text: string): { name: string; rest: string } | undefined {
  const [start] = NAME.exec(text) ?? [];
  if (start === undefined) return undefined;
  const after = text.slice(start.length);
  if (after !== '' && !/^\s/.test(after)) return undefined;
  return { name: start.slice(0, -1), rest: after.trim() };
}

function isItem(text: string): boolean {
  return text === '-' || /^-\s/.test(text);
}

/** A field without a text may begin a list: what follows decides. */
function valueIn(rest: string, line: number): RawValue {
  const { raw, isQuoted } = scalar(rest);
  if (!isQuoted && (raw === '' || raw === '[]')) return { kind: 'list', items: [], line };
  return { kind: 'scalar', raw, isQuoted, line };
}

/** `name:` with nothing below it is an empty text; `name: []` is an empty list. */
function isEmptyText(value: RawValue, lines: readonly string[]): boolean {
  if (value.kind !== 'list' || value.items.length > 0) return false;
  return !(lines[value.line - 2] ?? '').includes('[]');
}

function emptyText(line: number): RawValue {
  return { kind: 'scalar', raw: '', isQuoted: false, line };
}

function itemOf(text: string): RawItem {
  const field = fieldOf(text);
  if (field) return { [field.name]: scalar(field.rest).raw };
  const plain = isInBraces(text) ? text.slice(1, -1) : undefined;
  if (plain === undefined) return scalar(text).raw;
  const entries = plain.split(',').flatMap((part): [string, string][] => {
    const at = part.indexOf(':');
    return at < 0 ? [] : [[scalar(part.slice(0, at)).raw, scalar(part.slice(at + 1)).raw]];
  });
  return Object.fromEntries(entries);
}

/** The further fields of an item that is a map. False if the last item is none. */
function addToMap(items: RawItem[], { name, rest }: { name: string; rest: string }): boolean {
  const last = items.at(-1);
  if (typeof last !== 'object') return false;
  // Not an assignment: a field may be named __proto__.
  Object.defineProperty(last, name, { value: scalar(rest).raw, enumerable: true, writable: true, configurable: true });
  return true;
}

function isInBraces(text: string): boolean {
  return text.startsWith('{') && text.endsWith('}');
}

/** Reads character by character: an agent wrote it, and some patterns take a quadratic time for some texts. */
function scalar(text: string): { raw: string; isQuoted: boolean } {
  const trimmed = text.trim();
  const quote = trimmed[0];
  if (quote !== "'" && quote !== '"') return { raw: withoutComment(trimmed), isQuoted: false };
  let raw = '';
  for (let at = 1; at < trimmed.length; at += 1) {
    const char = trimmed[at] as string;
    if (quote === '"' && char === '\\') {
      at += 1;
      const escaped = trimmed[at] ?? '';
      raw += ESCAPES[escaped] ?? `\\${escaped}`;
    } else if (char !== quote) raw += char;
    else if (quote === "'" && trimmed[at + 1] === quote) {
      raw += quote;
      at += 1;
    } else {
      const rest = trimmed.slice(at + 1).trim();
      return rest === '' || rest.startsWith('#')
        ? { raw, isQuoted: true }
        : { raw: withoutComment(trimmed), isQuoted: false };
    }
  }
  return { raw: trimmed, isQuoted: false };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\', '/': '/' };

/** A comment begins with ` #`. */
function withoutComment(text: string): string {
  if (text.startsWith('#')) return '';
  const at = [text.indexOf(' #'), text.indexOf('\t#')].filter((each) => each >= 0);
  return at.length === 0 ? text : text.slice(0, Math.min(...at)).trimEnd();
}

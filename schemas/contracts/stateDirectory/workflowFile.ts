import { parse } from 'yaml';
import { shorten } from '../../text/phrases.ts';
import { isMap } from '../document/fields.ts';
import { readJson, typedWord } from '../document/json.ts';
import { withLineEndsOf } from '../document/markdown.ts';
import { isTooNested } from '../document/nesting.ts';
import { type TreeSnapshot, textOf } from '../report/tree.ts';
import { WORKFLOW_FILE } from './contract.ts';

/** A field of workflow.yaml, with the lines that it takes. */
interface Field {
  key: string;
  lines: string[];
}

export interface WorkflowText {
  /** Comments and blank lines have the key ''. */
  fields: Field[];
  values: ReadonlyMap<string, unknown>;
}

export type WorkflowReading =
  | { ok: true; workflow: WorkflowText }
  | { ok: false; message: string; line: number | null };

/** A longer file is not read: the file has a few lines. */
const LONGEST = 256 * 1024;
/** A longer nested value takes the YAML parser too long. */
const LONGEST_NESTED = 20_000;
const FIELD = /^(["']?)([A-Za-z_][\w.-]*)\1[ \t]*:(?:[ \t]*(.*))?$/;

/** Reads workflow.yaml as upstream writes it: flat fields, some with a nested block. */
export function parseWorkflow(text: string): WorkflowReading {
  if (text.length > LONGEST) return { ok: false, message: `It has more than ${LONGEST} characters.`, line: null };
  const fields: Field[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (/^\s*(?:#|$)|^---\s*$/.test(line)) fields.push({ key: '', lines: [line] });
    else if (/^[ \t]|^-(?:[ \t]|$)/.test(line) && addToBlock(fields, line)) continue;
    else {
      const [, , key] = FIELD.exec(line.trimEnd()) ?? [];
      if (key === undefined) {
        return { ok: false, message: `The line “${shorten(line.trim())}” is not a field.`, line: index + 1 };
      }
      fields.push({ key, lines: [line] });
    }
  }
  if (fields.at(-1)?.key === '' && fields.at(-1)?.lines[0] === '') fields.pop();
  const values = new Map<string, unknown>();
  for (const { key, lines } of fields) {
    if (key === '') continue;
    const read = readField(lines);
    if (!read.ok) return { ok: false, message: `${key} ${read.reason}.`, line: null };
    values.set(key, read.value);
  }
  return { ok: true, workflow: { fields, values } };
}

/** The workflow of a repository; undefined if it is missing or cannot be read. */
export function readWorkflow(tree: TreeSnapshot): WorkflowText | undefined {
  const file = textOf(tree, WORKFLOW_FILE);
  const read = file.ok ? parseWorkflow(file.text) : undefined;
  return read?.ok ? read.workflow : undefined;
}

/** The text with other values. Fields that are not named stay as they are, letter by letter. */
export function renderWorkflow(
  { fields }: Pick<WorkflowText, 'fields'>,
  changes: ReadonlyMap<string, unknown>,
): string {
  const open = new Map(changes);
  const lines: string[] = [];
  for (const field of fields) {
    if (!changes.has(field.key)) lines.push(...field.lines);
    else if (open.has(field.key)) lines.push(render(field.key, open.get(field.key)));
    open.delete(field.key);
  }
  for (const [key, value] of open) lines.push(render(key, value));
  return withLineEndsOf(fields[0]?.lines.map((line) => `${line}\n`).join('') ?? '', `${lines.join('\n')}\n`);
}

/** The values as JSON. */
export function workflowObject({ values }: Pick<WorkflowText, 'values'>): Record<string, unknown> {
  return Object.fromEntries(values);
}

/** A time of the workflow in milliseconds since 1970. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}(?:[T ]|$)/.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

/** Adds a line to the nested block of the last field, with the comments between. */
function addToBlock(fields: Field[], line: string): boolean {
  const at = fields.findLastIndex(({ key }) => key !== '');
  if (at < 0) return false;
  const between = fields.splice(at + 1).flatMap(({ lines }) => lines);
  fields[at]?.lines.push(...between, line);
  return true;
}

function readField(lines: readonly string[]): { ok: true; value: unknown } | { ok: false; reason: string } {
  const [first = '', ...block] = lines;
  const word = (FIELD.exec(first.trimEnd())?.[3] ?? '').trim();
  if (block.length > 0 || /^[[{|>&*!]/.test(word)) return readNested([word, ...block].join('\n'));
  if (word.startsWith('"') || word.startsWith("'")) return readQuoted(word);
  const plain = word.replace(/(?:^|[ \t])#.*$/, '').trimEnd();
  return { ok: true, value: plain === '' || plain === '~' ? null : typedWord(plain) };
}

function readQuoted(word: string): { ok: true; value: unknown } | { ok: false; reason: string } {
  const end = word.lastIndexOf(word[0] as string);
  const rest = word.slice(end + 1).trim();
  if (end === 0 || (rest !== '' && !rest.startsWith('#')))
    return { ok: false, reason: 'has a quote that is not closed' };
  const inner = word.slice(1, end);
  if (word[0] === "'") return { ok: true, value: unpacked(inner.replaceAll("''", "'")) };
  const json = readJson(word.slice(0, end + 1));
  // Upstream escapes only quotes and line ends.
  const text = json.ok ? (json.value as string) : inner.replaceAll('\\n', '\n').replaceAll('\\"', '"');
  return { ok: true, value: unpacked(text) };
}

/** Lists and objects are on disk as quoted JSON, because upstream loses them otherwise. */
function unpacked(text: string): unknown {
  if (!/^[[{]/.test(text)) return text;
  const json = readJson(text);
  return json.ok && (Array.isArray(json.value) || isMap(json.value)) ? json.value : text;
}

function readNested(text: string): { ok: true; value: unknown } | { ok: false; reason: string } {
  if (text.length > LONGEST_NESTED) return { ok: false, reason: 'is too long' };
  if (isTooNested(text)) return { ok: false, reason: 'is nested too deep' };
  try {
    return { ok: true, value: parse(text, { maxAliasCount: 0, logLevel: 'error' }) };
  } catch {
    return { ok: false, reason: 'is not YAML' };
  }
}

function render(key: string, value: unknown): string {
  if (typeof value === 'string') return `${key}: ${isPlain(value) ? value : JSON.stringify(value)}`;
  if (typeof value === 'object' && value !== null) return `${key}: ${JSON.stringify(JSON.stringify(value))}`;
  return `${key}: ${value ?? 'null'}`;
}

/** True if a text needs no quotes, for upstream and for YAML. */
function isPlain(text: string): boolean {
  return /^[A-Za-z_/](?:[\w ./()+@,=-]*[\w./()+@=-])?$/.test(text) && typedWord(text) === text && !isYamlWord(text);
}

function isYamlWord(text: string): boolean {
  return /^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
}

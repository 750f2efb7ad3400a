import { type Document, isScalar, Lexer, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { readSettingsFile } from '../files/openRegular.ts';
import type { LintCode } from '../lint/lintCodes.ts';
import { nearest } from '../text/nearest.ts';
import { issueText } from './issueText.ts';
import type { Fault } from './phase/kindDefinition.ts';
import { keysAt } from './schemaAt.ts';
import { foreignTags, syntaxFaults } from './yamlFaults.ts';
import { yamlPlaces } from './yamlPlaces.ts';

/** A fault in a file that a person wrote, and its place. */
export interface Problem {
  file: string;
  /** 1-based; absent if the fault belongs to no line. */
  line?: number;
  /** 1-based; with every line. */
  column?: number;
  /** Absent for a file that cannot be read. */
  code?: LintCode;
  /** Dotted path in the document, `phases.2.key`; empty for the whole document. */
  path: string;
  message: string;
}

export interface ParsedYaml {
  file: string;
  value: unknown;
  /** The place of the value at a path, or of the nearest parent that has one. With `part`, that of a text in the value. */
  placeOf(path: readonly PropertyKey[], part?: Fault['part']): TextPlace | undefined;
}

/** Both count from 1. */
export interface TextPlace {
  line: number;
  column: number;
}

export type YamlResult = { ok: true; yaml: ParsedYaml } | { ok: false; problems: Problem[] };

/** Reads and parses a YAML file. Never throws: an unreadable file is a problem, too. */
export function readYaml(file: string): YamlResult {
  const read = readSettingsFile(file);
  if (!read.ok) return { ok: false, problems: [{ file, path: '', message: read.fault }] };
  return parseYaml(file, read.bytes.toString('utf8'));
}

/**
 * Never throws: hostile texts nest without end, and have aliases that expand without end. `allowsTags`: files of other programs
 * have tags of their own.
 */
export function parseYaml(file: string, text: string, { allowsTags = false } = {}): YamlResult {
  const lines = new LineCounter();
  const placeAtOffset = (offset: number): TextPlace => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
      // Warnings would go to the process.
      logLevel: 'error',
    });
    const faults = [
      ...syntaxFaults(text, document),
      ...duplicateKeys(document).map((offset) => ({ message: 'keys of a map must differ', offset })),
      ...(allowsTags ? [] : foreignTags(document)),
    ].slice(0, MOST_PROBLEMS);
    if (faults.length > 0) {
      return {
        ok: false,
        problems: faults.map(({ message, offset }) => notYaml(file, message, placeAtOffset(offset))),
      };
    }
    const value: unknown = document.toJS();
    if (text.includes('*') && containsItself(value)) {
      return { ok: false, problems: [notYaml(file, 'an alias must not contain itself')] };
    }
    const offsetAt = yamlPlaces(document);
    const placeOf = (path: readonly PropertyKey[], part?: Fault['part']) => {
      const span = offsetAt(path);
      return span && placeAtOffset(offsetOfPart(text, span, part) ?? span.offset);
    };
    return { ok: true, yaml: { file, value, placeOf } };
  } catch (cause) {
    const what = /alias/i.test((cause as Error).message) ? 'its aliases repeat' : 'it nests';
    return { ok: false, problems: [notYaml(file, `${what} more than devflow reads`)] };
  }
}

/** Where the nth such text begins; undefined if the value has it only as escapes. */
function offsetOfPart(text: string, { offset, end }: { offset: number; end: number }, part: Fault['part']) {
  if (part === undefined || part.text === '') return undefined;
  let at = offset - 1;
  for (let nth = 0; nth <= part.nth; nth += 1) {
    at = text.indexOf(part.text, at + 1);
    if (at < 0 || at >= end) return undefined;
  }
  return at;
}

function notYaml(file: string, why: string, place?: TextPlace): Problem {
  return { file, ...place, path: '', code: 'yaml_error', message: `this is not YAML: ${why}` };
}

/** More problems than a person reads. */
const MOST_PROBLEMS = 300;

/** The issues of a schema as problems of the file. Each unknown key comes with the nearest known one. */
export function problemsOf(error: z.core.$ZodError, schema: z.core.$ZodType, yaml: ParsedYaml): Problem[] {
  return error.issues.slice(0, MOST_PROBLEMS).flatMap((issue) => {
    const problem = (path: readonly PropertyKey[], code: LintCode, message: string) =>
      problemAt({ path, code, message, part: partOf(issue) }, yaml);
    if (issue.code !== 'unrecognized_keys') return [problem(issue.path, codeOf(issue), issueText(issue))];
    return issue.keys.slice(0, MOST_PROBLEMS).map((key) => {
      const meant = nearest(key, keysAt(schema, issue.path));
      const path = [...issue.path, key];
      return problem(path, 'unknown_key', `unknown key ${key}${meant ? `; the nearest known one is ${meant}` : ''}`);
    });
  });
}

/** Rules between fields name their code; what is left is a matter of shape. */
function codeOf(issue: z.core.$ZodIssue): LintCode {
  return (issue.code === 'custom' && (issue.params?.lint as LintCode | undefined)) || 'wrong_shape';
}

function partOf(issue: z.core.$ZodIssue): Fault['part'] {
  return issue.code === 'custom' ? (issue.params?.part as Fault['part']) : undefined;
}

/** A fault at a path of the document, as a problem of its file. */
export function problemAt(
  { path, code, message, part }: Omit<Fault, 'path'> & { path: readonly PropertyKey[] },
  { file, placeOf }: Pick<ParsedYaml, 'file' | 'placeOf'>,
): Problem {
  return { file, ...placeOf(path, part), path: path.map(String).join('.'), code, message };
}

/** `file:line:column: path: message`, a form that editors understand. */
export function problemSentence({ file, line, column, path, message }: Problem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return `${place}: ${path === '' ? '' : `${path}: `}${message}`;
}

/** True if a value contains itself, as with an alias inside of its own anchor. */
export function containsItself(root: unknown): boolean {
  const open = new Set<unknown>();
  const done = new Set<unknown>();
  const visit = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null || done.has(value)) return false;
    if (open.has(value)) return true;
    open.add(value);
    const found = Object.values(value).some(visit);
    open.delete(value);
    done.add(value);
    return found;
  };
  return visit(root);
}

/** The offsets of keys that their map has already. The parser's own check compares each key with all others. */
export function duplicateKeys(document: Document): number[] {
  const found: number[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) found.push(key.range?.[0] ?? 0);
        seen.add(key.value);
      }
    },
  });
  return found;
}

/** Eight times the largest built-in file. */
const MOST_BYTES = 256 * 1024;
/** Twelve times those of the largest built-in file. The parser takes about a tenth of a second for so many. */
const MOST_TOKENS = 16_000;

/** Why a YAML text is too large to parse, as a sentence without its end; undefined if it is not. */
export function textTooLarge(text: string): string | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_BYTES) return `the text has ${bytes} bytes, more than ${MOST_BYTES}`;
  const tokens = new Lexer().lex(text);
  for (let count = 0; count <= MOST_TOKENS; count += 1) if (tokens.next().done) return undefined;
  return `the text has more than ${MOST_TOKENS} words, marks and line ends`;
}

import { type Document, isMap, isNode, isPair, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { readSettingsFile } from '../files/settingsFile.ts';
import { nearest } from '../nearest.ts';
import { keysAt } from './schemaAt.ts';

/** A fault in a file that a person wrote, and its place. */
export interface Problem {
  file: string;
  /** 1-based; absent if the fault belongs to no line. */
  line?: number;
  /** Dotted path in the document, `phases.2.key`; empty for the whole document. */
  path: string;
  message: string;
}

export interface ParsedYaml {
  file: string;
  value: unknown;
  /** The 1-based line of the value at a path, or of the nearest parent that has one. */
  lineOf(path: readonly PropertyKey[]): number | undefined;
}

export type YamlResult = { ok: true; yaml: ParsedYaml } | { ok: false; problems: Problem[] };

/** Reads and parses a YAML file. Never throws: an unreadable file is a problem, too. */
export function readYaml(file: string): YamlResult {
  const read = readSettingsFile(file);
  if (read.ok) return parseYaml(file, read.bytes.toString('utf8'));
  return { ok: false, problems: [{ file, path: '', message: read.fault }] };
}

export function parseYaml(file: string, text: string): YamlResult {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => ({
      file,
      line: lines.linePos(error.pos[0]).line,
      path: '',
      message: `this is not YAML: ${error.message}`,
    }));
    return { ok: false, problems };
  }
  try {
    const lineOf = (path: readonly PropertyKey[]) => lineAt(document, lines, path);
    return { ok: true, yaml: { file, value: document.toJS(), lineOf } };
  } catch (cause) {
    // Aliases that refer to nothing, or that expand without end.
    return { ok: false, problems: [{ file, path: '', message: `this is not YAML: ${(cause as Error).message}` }] };
  }
}

function lineAt(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const parent = length === 0 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    // The key of a pair, because its value may begin on a later line.
    const pair = isMap(parent)
      ? parent.items.find((item) => keyText(item.key) === String(path[length - 1]))
      : undefined;
    const node = isPair(pair) && isNode(pair.key) ? pair.key : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}

function keyText(key: unknown): string {
  return isNode(key) ? String(key.toJSON()) : String(key);
}

/** The issues of a schema as problems of the file. Each unknown key comes with the nearest known one. */
export function problemsOf(error: z.core.$ZodError, schema: z.core.$ZodType, yaml: ParsedYaml): Problem[] {
  return error.issues.flatMap((issue) => {
    const problem = (path: readonly PropertyKey[], message: string) => problemAt({ path, message }, yaml);
    if (issue.code !== 'unrecognized_keys') return [problem(issue.path, issue.message)];
    return issue.keys.map((key) => {
      const meant = nearest(key, keysAt(schema, issue.path));
      return problem([...issue.path, key], `unknown key ${key}${meant ? `; the nearest known one is ${meant}` : ''}`);
    });
  });
}

/** A fault at a path of the document, as a problem of its file. */
export function problemAt(
  { path, message }: { path: readonly PropertyKey[]; message: string },
  { file, lineOf }: ParsedYaml,
): Problem {
  const line = lineOf(path);
  return { file, ...(line === undefined ? {} : { line }), path: path.map(String).join('.'), message };
}

/** `file:line: path: message`, a form that editors understand. */
export function problemSentence(problem: Problem): string {
  const place = problem.line === undefined ? problem.file : `${problem.file}:${problem.line}`;
  return `${place}: ${problem.path === '' ? '' : `${problem.path}: `}${problem.message}`;
}

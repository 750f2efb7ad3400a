import { type Document, isMap, isScalar, LineCounter, parseDocument, visit, YAMLMap } from 'yaml';
import { shorten } from '../../../text/phrases.ts';
import type { Fence } from '../../document/markdown.ts';
import { isTooNested } from '../../document/nesting.ts';
import { type Finding, finding } from '../../report/report.ts';
import { checkManifestKeys } from './manifestKeys.ts';
import { readPlainManifest } from './plainManifest.ts';

/** A step's promise: the files that it changes, and the signs of that. */
export interface Manifest {
  expected_paths: string[];
  min_file_count: number;
  commit_message_pattern: string;
  bash_syntax_check: string[];
  forbidden_paths: string[];
  must_contain: { path: string; pattern: string }[];
}

type Read = { manifest: Manifest | null; findings: Finding[] };

/** The parser takes a time that grows with the square of some texts. */
const MOST_CHARACTERS = 16 * 1024;

/** Reads the manifest of a step. It is null if something is wrong with it. */
export function readManifest(fence: Fence, step: number, path: string): Read {
  const syntax = (why: string, line = fence.line): Read => {
    const message = `The manifest of step ${step} ${why}.`;
    return { manifest: null, findings: [finding('MANIFEST_SYNTAX', message, { path, line, step })] };
  };
  if (!fence.isClosed) return syntax('has no closing fence');
  if (fence.text.length > MOST_CHARACTERS) return syntax(`has more than ${MOST_CHARACTERS} characters`);
  if (isTooNested(fence.text)) return syntax('is nested too deep');
  const at = { path, line: fence.line, step };
  const plain = readPlainManifest(fence.text);
  if (plain) return asRead(plain, checkManifestKeys(plain, NONE, at));
  const lineCounter = new LineCounter();
  const lineOf = (offset: number) => fence.line + lineCounter.linePos(offset).line;
  let value: unknown;
  let document: Document.Parsed;
  try {
    document = parseDocument(fence.text, { lineCounter, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
    const [wrong] = document.errors.filter(({ code }) => code !== 'BAD_DQ_ESCAPE');
    if (wrong) return syntax(`is no YAML: ${firstLine(wrong.message)}`, lineOf(wrong.pos[0]));
    const twice = repeatedKey(document);
    if (twice !== undefined) return syntax(`has the key ${shorten(twice)} twice`);
    value = (document.toJS({ maxAliasCount: 0 }) as { manifest?: unknown } | null)?.manifest;
  } catch (error) {
    return syntax(
      error instanceof RangeError ? 'is nested too deep' : `is no YAML: ${firstLine((error as Error).message)}`,
    );
  }
  if (value === null || value === undefined) return syntax('is empty');
  if (typeof value !== 'object' || Array.isArray(value)) return syntax('is no map of keys');
  const escapes = document.errors
    .map(({ pos: [offset] }) => ({ key: keyAt(document, offset), line: lineOf(offset) }))
    .filter(isFirstOfText);
  const findings = [
    ...escapes.map(({ key, line }) => {
      const message = `Step ${step}: ${key ?? 'a text'} has an escape that YAML does not know. In double quotes write \\\\( for \\(.`;
      return finding('MANIFEST_PATTERN_INVALID', message, { path, line, step, ...(key && { field: key }) });
    }),
    ...checkManifestKeys(value as Record<string, unknown>, new Set(escapes.map(({ key }) => key)), at),
  ];
  return asRead(value, findings);
}

const NONE: ReadonlySet<string> = new Set();

function asRead(value: object, findings: Finding[]): Read {
  return { manifest: findings.length === 0 ? (value as Manifest) : null, findings };
}

/** YAML has the same check, which takes a time that grows with the square of the keys. */
function repeatedKey(document: Document.Parsed): string | undefined {
  let repeated: string | undefined;
  visit(document, {
    Map(_, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? key.value : key;
        if (seen.has(name)) repeated = String(name);
        seen.add(name);
      }
      return repeated === undefined ? undefined : visit.BREAK;
    },
  });
  return repeated;
}

interface Escape {
  key: string | undefined;
  line: number;
}

/** One finding says enough of a text with several such escapes. */
function isFirstOfText({ key, line }: Escape, index: number, all: readonly Escape[]): boolean {
  return index === 0 || all[index - 1]?.key !== key || all[index - 1]?.line !== line;
}

/** The key of the manifest whose value stands at this place. */
function keyAt({ contents }: Document.Parsed, offset: number): string | undefined {
  const manifest = isMap(contents) ? contents.get('manifest', true) : undefined;
  if (!(manifest instanceof YAMLMap)) return undefined;
  const pair = manifest.items.find(({ value }) => {
    const range = (value as { range?: [number, number, number] } | null)?.range;
    return range && range[0] <= offset && offset < range[2];
  });
  return pair && isScalar(pair.key) ? String(pair.key.value) : undefined;
}

function firstLine(message: string): string {
  return shorten((message.split('\n', 1)[0] ?? '').replace(/:$/, ''));
}

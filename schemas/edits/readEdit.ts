import type { ValidationError } from '../definitions/artifactSemantics.ts';
import { parseYaml, textTooLarge } from '../definitions/yamlFile.ts';

type ReadEdit = { ok: true; data: unknown } | { ok: false; errors: ValidationError[] };

/** Reads what a person saved, as JSON or YAML. Never throws: a text may nest or repeat without end. */
export function readEdit(saved: string): ReadEdit {
  const text = saved.replace(/^\ufeff/, '');
  if (text.includes('\0')) return refused('the text has NUL, so it is no text');
  const json = parsedJson(text);
  if (json.ok) return json;
  const large = textTooLarge(text);
  if (large !== undefined) return refused(looksLikeJson(text) ? `this is not JSON: ${json.fault}` : large);
  const read = parseYaml('', text);
  if (read.ok) return { ok: true, data: read.yaml.value };
  return {
    ok: false,
    errors: read.problems.map(({ line, message }) => ({ path: line === undefined ? '' : `line ${line}`, message })),
  };
}

function refused(message: string): ReadEdit {
  return { ok: false, errors: [{ path: '', message }] };
}

function parsedJson(text: string): { ok: true; data: unknown } | { ok: false; fault: string } {
  try {
    return { ok: true, data: JSON.parse(withoutComments(text)) };
  } catch (error) {
    return { ok: false, fault: (error as Error).message };
  }
}

function looksLikeJson(text: string): boolean {
  return /^[[{]/.test(withoutComments(text).trimStart());
}

/** The lines at the top that say what the text is, and its faults. */
function withoutComments(text: string): string {
  return text.replace(/^(?:[ \t]*(?:#.*)?\r?\n)*/, '');
}

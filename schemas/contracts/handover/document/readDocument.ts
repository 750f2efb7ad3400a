import { shorten } from '../../../text/phrases.ts';
import { checkFrontmatter, type Field, typedValue } from '../../document/fields.ts';
import { parseFrontmatter, type RawItem, type RawValue } from '../../document/frontmatter.ts';
import { hasSection, type Outline, outline } from '../../document/markdown.ts';
import { type Finding, finding } from '../../report/report.ts';
import type { FileText } from '../../report/tree.ts';
import { HANDOVER } from './contract.ts';
import { fileFault } from './handoverReport.ts';

/** A Markdown document that says in its frontmatter what it is. */
export interface DocumentForm {
  kind: 'brief' | 'research' | 'review';
  prefix: 'BRIEF' | 'RESEARCH' | 'REVIEW';
  /** All but `type`. */
  fields: readonly Field[];
}

export interface ReadDocument {
  fields: ReadonlyMap<string, RawValue>;
  /** The values as their kinds have them. */
  values: Record<string, unknown>;
  outline: Outline;
  body: string;
  bodyLine: number;
}

/** Reads a document and checks what all documents have in common. Any other document is not read further. */
export function readDocument(
  form: DocumentForm,
  file: FileText,
  path: string,
): { findings: Finding[]; document?: ReadDocument } {
  const { kind, prefix } = form;
  if (!file.ok) return { findings: [fileFault(prefix, file, path)] };
  const { fields, faults, body, bodyLine } = parseFrontmatter(file.text);
  const findings = faults.map(({ code, message, line }) => finding(code, message, { path, line }));
  if (faults.some(({ code }) => code === 'FM_MISSING' || code === 'FM_UNTERMINATED')) return { findings };
  const type = typeFinding(form, fields.get('type'), path);
  if (type?.line !== undefined && type.line !== null) return { findings: [type] };
  if (type) {
    findings.push(type, finding(`${prefix}_MISSING_FIELD`, 'type is missing.', { path, field: 'type' }));
  }
  for (const { field, what, message, line } of checkFrontmatter(form.fields, fields)) {
    const code = what === 'missing' ? (`${prefix}_MISSING_FIELD` as const) : (`${prefix}_INVALID_FIELD` as const);
    findings.push(finding(code, message, { path, line, field }));
  }
  const read = outline(body, bodyLine);
  for (const section of HANDOVER.sections[kind]) {
    if (hasSection(read, section)) continue;
    findings.push(finding(`${prefix}_MISSING_SECTION`, `The section ## ${section} is missing.`, { path, section }));
  }
  return { findings, document: { fields, values: valuesOf(form.fields, fields), outline: read, body, bodyLine } };
}

/** Without a type it may be an unfinished document; with another type it is another document. */
function typeFinding({ kind, prefix }: DocumentForm, raw: RawValue | undefined, path: string): Finding | undefined {
  const wanted = HANDOVER.types[kind];
  if (!raw || (raw.kind === 'scalar' && raw.raw === '')) {
    return finding(`${prefix}_WRONG_TYPE`, `type must be ${wanted}.`, { path, field: 'type' });
  }
  if (raw.kind === 'scalar' && raw.raw === wanted) return undefined;
  const given = raw.kind === 'scalar' ? shorten(raw.raw) : 'a list';
  return finding(`${prefix}_WRONG_TYPE`, `type is ${given}, and must be ${wanted}.`, {
    path,
    line: raw.line,
    field: 'type',
  });
}

function valuesOf(form: readonly Field[], fields: ReadonlyMap<string, RawValue>): Record<string, unknown> {
  const kinds = new Map(form.map(({ name, kind }) => [name, kind]));
  return Object.fromEntries(
    [...fields].map(([name, raw]): [string, unknown] => [name, typedValue(kinds.get(name) ?? 'text', raw)]),
  );
}

/** The items of a block list; undefined if the field is something else. */
export function itemsOf(raw: RawValue | undefined): readonly RawItem[] | undefined {
  return raw?.kind === 'list' ? raw.items : undefined;
}

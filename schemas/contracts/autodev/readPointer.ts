import { type Finding, finding } from '../report/report.ts';
import type { FileText } from '../report/tree.ts';
import { checkPointer, hasErrors } from './checkPointer.ts';
import { FIELDS, type FieldValue, type PointerText, parsePointer } from './parsePointer.ts';
import { POINTER_FILE, type Pointer, type ReadPointer } from './pointer.ts';

/** The content of the pointer's file. */
export interface PointerReading {
  isMissing: boolean;
  findings: Finding[];
  /** Null if anything is wrong with it. */
  pointer: Pointer | null;
  /** As it was read; null if nothing could be. */
  read: ReadPointer | null;
}

/** Reads and checks the pointer. */
export function readPointer(file: FileText): PointerReading {
  if (!file.ok) {
    const { isMissing, reason } = file;
    const found = isMissing
      ? finding('AUTODEV_NOT_FOUND', 'There is no pointer.', { path: POINTER_FILE })
      : finding('AUTODEV_PARSE_ERROR', `The pointer cannot be read: ${reason}.`, { path: POINTER_FILE });
    return { isMissing, findings: [found], pointer: null, read: null };
  }
  const parsed = parsePointer(file.text);
  if (parsed.fields.size === 0) {
    const message = `The file has no current step: none of ${FIELDS.join(', ')} is there.`;
    const found = finding('AUTODEV_PARSE_ERROR', message, { path: POINTER_FILE });
    return { isMissing: false, findings: [found], pointer: null, read: null };
  }
  const read = toReadPointer(parsed);
  const findings = checkPointer(parsed, read);
  const isValid = !hasErrors(findings);
  return { isMissing: false, findings, read, pointer: isValid ? (read as Pointer) : null };
}

function toReadPointer({ fields, subStep }: PointerText): ReadPointer {
  const text = (value: FieldValue | undefined) => (isGiven(value) ? value.text : null);
  const number = (value: FieldValue | undefined) => (isGiven(value) ? numberOr(value) : null);
  const detail = subStep.get('detail');
  return {
    flow: text(fields.get('flow')),
    step: number(fields.get('step')),
    name: text(fields.get('name')),
    status: text(fields.get('status')),
    sub_step:
      subStep.size === 0
        ? null
        : {
            phase: number(subStep.get('phase')),
            name: text(subStep.get('name')),
            detail: detail && !isNull(detail) ? detail.text : '',
          },
    retry_count: number(fields.get('retry_count')),
    cycle: number(fields.get('cycle')),
  };
}

/** True if a field has a value: `flow:` alone has none. */
export function isGiven(value: FieldValue | undefined): value is FieldValue {
  return value !== undefined && (value.isQuoted || value.text !== '');
}

/** Whole numbers only. A number in quotes is a text. */
function numberOr({ text, isQuoted }: FieldValue): number | string {
  return !isQuoted && /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

function isNull({ text, isQuoted }: FieldValue): boolean {
  return !isQuoted && (text === 'null' || text === '~');
}

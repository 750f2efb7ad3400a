import { shorten } from '../../text/phrases.ts';
import { readInlineMap } from './inlineMap.ts';
import { readScalar, type Scalar } from './scalar.ts';

export const FIELDS = ['flow', 'step', 'name', 'status', 'sub_step', 'retry_count', 'cycle'] as const;
export type FieldName = (typeof FIELDS)[number];
const SUB_FIELDS = ['phase', 'name', 'detail'] as const;
export type SubFieldName = (typeof SUB_FIELDS)[number];

export interface FieldValue extends Scalar {
  line: number;
}

export interface PointerText {
  fields: ReadonlyMap<FieldName, FieldValue>;
  /** The fields of `sub_step`. Empty if it is a text. */
  subStep: ReadonlyMap<SubFieldName, FieldValue>;
  /** The first line of `sub_step` whose field is not indented; null if all are. */
  flatLine: number | null;
  /** Lines that cannot be read, as sentences. */
  faults: { message: string; line: number }[];
  /** The lines from the first field to the last one, counted from 0; null if there is no field. */
  block: { first: number; last: number } | null;
  /** True if the block stands below the heading `## Current Step`. */
  hasHeading: boolean;
}

/** Nothing is read after so many faults. */
const MOST_FAULTS = 20;

/** Reads the fields of the current step: those below its heading, or else the first ones of the file. */
export function parsePointer(text: string): PointerText {
  const lines = linesOf(text);
  const start = findStart(lines);
  return readBlock(lines, start);
}

export function linesOf(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split('\n');
}

interface Start {
  index: number;
  isInFence: boolean;
  hasHeading: boolean;
}

function findStart(lines: readonly string[]): Start {
  let isInFence = false;
  let firstField: Start | undefined;
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim();
    if (isFence(trimmed)) isInFence = !isInFence;
    else if (/^##[ \t]+Current Step$/.test(trimmed)) return { index: index + 1, isInFence, hasHeading: true };
    else if (!firstField && isField(fieldOf(line)?.name ?? '')) {
      firstField = { index, isInFence, hasHeading: false };
    }
  }
  return firstField ?? { index: lines.length, isInFence: false, hasHeading: false };
}

function readBlock(lines: readonly string[], start: Start): PointerText {
  const fields = new Map<FieldName, FieldValue>();
  const subStep = new Map<SubFieldName, FieldValue>();
  const faults: PointerText['faults'] = [];
  let flatLine: number | null = null;
  let first = -1;
  let last = -1;
  let base = 0;
  let isInSubStep = false;
  let hasIndented = false;
  let { isInFence } = start;
  const addFault = (message: string, line: number) => {
    faults.push({ message, line });
  };
  const take = <N extends string>(into: Map<N, FieldValue>, name: N, value: FieldValue) => {
    if (into.has(name)) addFault(`${name} is given twice.`, value.line);
    else into.set(name, value);
    if (value.fault) addFault(`${name} ${value.fault}.`, value.line);
  };
  for (let index = start.index; index < lines.length && faults.length < MOST_FAULTS; index += 1) {
    const whole = lines[index] as string;
    const trimmed = whole.trim();
    const line = index + 1;
    if (trimmed === '') continue;
    if (isFence(trimmed)) {
      if (isInFence && start.isInFence) break;
      isInFence = !isInFence;
      continue;
    }
    if (trimmed.startsWith('#')) {
      if (!isInFence && /^#{1,6}([ \t]|$)/.test(trimmed)) break;
      continue;
    }
    const field = fieldOf(whole);
    if (!field) {
      if (fields.size === FIELDS.length) break;
      if (fields.size > 0) addFault(`“${shorten(trimmed)}” is no field.`, line);
      continue;
    }
    const { name, rest, indent } = field;
    if (fields.size === 0) base = indent;
    const isDeeper = indent > base;
    const isFlat = !isDeeper && !hasIndented && isSubField(name) && !subStep.has(name);
    if (isInSubStep && (isDeeper || isFlat)) {
      // Others are fields of a later version.
      if (isSubField(name)) take(subStep, name, { ...readScalar(rest, name === 'detail'), line });
      if (isDeeper) hasIndented = true;
      else flatLine ??= line;
    } else {
      isInSubStep = false;
      if (!isField(name)) continue;
      take(fields, name, { ...readScalar(rest, rest.startsWith('{')), line });
      if (name === 'sub_step') {
        isInSubStep = rest === '' || rest.startsWith('#');
        for (const [key, value] of readInlineMap(rest)) {
          if (isSubField(key)) take(subStep, key, { ...value, line });
        }
      }
    }
    if (first < 0) first = index;
    last = index;
  }
  const block = first < 0 ? null : { first, last };
  return { fields, subStep, flatLine, faults, block, hasHeading: start.hasHeading };
}

function isFence(trimmed: string): boolean {
  return trimmed.startsWith('```') || trimmed.startsWith('~~~');
}

/** A line `name: value`. */
function fieldOf(line: string): { name: string; rest: string; indent: number } | undefined {
  const text = line.trimStart();
  const [start] = /^[A-Za-z_][\w-]{0,60}:(?=\s|$)/.exec(text) ?? [];
  if (start === undefined) return undefined;
  return { name: start.slice(0, -1), rest: text.slice(start.length).trim(), indent: line.length - text.length };
}

function isField(name: string): name is FieldName {
  return (FIELDS as readonly string[]).includes(name);
}

function isSubField(name: string): name is SubFieldName {
  return (SUB_FIELDS as readonly string[]).includes(name);
}

import type { TemplateChange, TemplateDiff } from '../../../schemas/rpc/views/lint.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Io } from '../../io/io.ts';
import { paint } from '../output.ts';
import { visible } from '../text.ts';

/** Prints the differences of two templates, one a line. */
export function printTemplateDiff(io: Io, { from, to, changes }: TemplateDiff): void {
  io.out(`${paint(io, 'dim', 'from')}  ${labelOf(from)}\n${paint(io, 'dim', 'to')}    ${labelOf(to)}\n`);
  for (const change of changes) {
    const [sign, shade] = SIGNS[change.change];
    io.out(`${paint(io, shade, `${sign} ${visible(sentenceOf(change))}`)}\n`);
  }
  if (changes.length === 0) io.out('They mean the same.\n');
}

const SIGNS = {
  added: ['+', 'green'],
  removed: ['-', 'red'],
  moved: ['>', 'cyan'],
  changed: ['~', 'yellow'],
} as const;

function labelOf({ name, version, hash }: TemplateDiff['from']): string {
  return visible(`${name}@${version} ${hash.slice(0, 12)}`);
}

function sentenceOf({ change, of, id, field, from, to }: TemplateChange): string {
  const what = id === null ? of : `${of} ${id}`;
  if (change === 'moved') return `${what}: moved from ${placeOf(from)} to ${placeOf(to)}`;
  return change === 'changed' ? `${what}: ${field}: ${changeOf(from, to)}` : what;
}

function placeOf(previous: unknown): string {
  return previous === null ? 'the beginning' : `after ${previous}`;
}

const LONGEST = 60;

function changeOf(from: unknown, to: unknown): string {
  if (typeof from === 'string' && typeof to === 'string' && `${from}${to}`.includes('\n'))
    return linesChanged(from, to);
  return `${shown(from)} → ${shown(to)}`;
}

function linesChanged(from: string, to: string): string {
  const [before, after] = [from.split('\n'), to.split('\n')];
  return `${counted(missingIn(after, before), 'line')} removed, ${counted(missingIn(before, after), 'line')} added`;
}

/** The number of lines of `lines` that have no equal among `others`. */
function missingIn(others: readonly string[], lines: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  }).length;
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

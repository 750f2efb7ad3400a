import type { ValidationError } from '../definitions/artifactSemantics.ts';
import { cutTo } from '../text/phrases.ts';
import { visible } from '../text/visible.ts';

const BEGIN = '# devflow did not take this text. Correct it, or leave it as it is to end without an edit.';
const END = '# The text begins below.';

/** The person's text with its faults on top, in place of the faults of the text before. */
export function withFaults(text: string, faults: readonly Pick<ValidationError, 'path' | 'message'>[]): string {
  const lines = faults.map(
    ({ path, message }) => `#   ${cutTo(visible(`${path === '' ? '' : `${path}: `}${message}`), 500)}`,
  );
  return [BEGIN, ...lines, END, withoutFaults(text)].join('\n');
}

export function withoutFaults(text: string): string {
  const lines = text.split('\n');
  const from = lines.indexOf(BEGIN);
  const to = lines.indexOf(END, from);
  return from < 0 || to < 0 ? text : lines.toSpliced(from, to - from + 1).join('\n');
}

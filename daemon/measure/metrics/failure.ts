import { endOf } from '../../commands/outputTail.ts';
import { textFor } from './reading.ts';

const MOST_CHARACTERS = 200;
const END_BYTES = 64 * 1024;

/** The failure that the end of an error output names; undefined if it names none. */
export function failureIn(stderrPath: string): string | undefined {
  // If it cannot be read, the command's own reason remains.
  return failureLine(endOf(stderrPath, END_BYTES));
}

/** The last line that says what went wrong; of a traceback, the exception. */
export function failureLine(stderr: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  const lines = stderr.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '').split(/\r\n|\n|\r/);
  const said = lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:at .*[:(]|File "|\^|~|Node\.js v)/.test(line));
  const line =
    said.findLast((each) => /^[\w.]*(?:Error|Exception)\b|^error\b|^fatal\b|panicked/i.test(each)) ?? said.at(-1);
  return line === undefined ? undefined : textFor(line, MOST_CHARACTERS);
}

/** The failure without what differs from run to run, so that the same failure is the same text. */
export function normaliseFailure(line: string): string {
  const text = line
    .slice(0, MOST_CHARACTERS * 4)
    .replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, '<time>')
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<hex>')
    .replace(/\b0x[0-9a-f]+\b/gi, '<hex>')
    .replace(/\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,}\b/gi, '<hex>')
    .replace(/(?:[A-Za-z]:)?(?:[\\/][\w.@+-]+){2,}/g, '<path>')
    .replace(/[-+]?(?<![\w.])\d+(?:[.,:]\d+)*(?:e[-+]?\d+)?/gi, '<n>');
  return textFor(text, MOST_CHARACTERS);
}

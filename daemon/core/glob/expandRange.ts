const NUMBERS = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/;
const LETTERS = /^(?:([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z]))(?:\.\.(-?\d{1,9}))?$/;

/**
 * The texts of a brace range: `1..3` is 1, 2, 3, `01..10..3` is 01, 04, 07, 10, and `c..a` is c, b, a. Undefined if it is
 * none or has more than `most`.
 */
export function expandRange(range: string, most: number): string[] | undefined {
  const numbers = NUMBERS.exec(range);
  if (numbers) {
    const [, from = '', to = '', step = '1'] = numbers;
    const width = [from, to, step].some(isPadded) ? Math.max(from.length, to.length, step.length) : 0;
    return sequence(Number(from), Number(to), Number(step), most)?.map((value) => padded(value, width));
  }
  const letters = LETTERS.exec(range);
  if (!letters) return undefined;
  const [, from = letters[3] as string, to = letters[4] as string, , , step = '1'] = letters;
  return sequence(from.charCodeAt(0), to.charCodeAt(0), Number(step), most)?.map((unit) => String.fromCharCode(unit));
}

function sequence(from: number, to: number, step: number, most: number): number[] | undefined {
  const stride = Math.max(Math.abs(step), 1);
  const length = Math.floor(Math.abs(to - from) / stride) + 1;
  if (length > most) return undefined;
  return Array.from({ length }, (_, index) => from + (from <= to ? index : -index) * stride);
}

function isPadded(number: string): boolean {
  return /^-?0\d/.test(number);
}

function padded(value: number, width: number): string {
  const digits = String(Math.abs(value));
  return value < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0');
}

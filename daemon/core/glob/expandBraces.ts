/** A glob with more is a generated list, and each pattern costs time with every other task's. */
const MOST_PATTERNS = 256;
const MOST_CHARACTERS = 8_000;

/** fast-glob drops quotes and odd spaces while it expands braces, and reads `${` in a way of its own. */
const ODD = /["'`\u00a0\ufeff]|\$\{/;

/** `\{`, `[{]`, `({)` or any other character. */
const TOKEN = /\\.|\[(?:[^[\]\\]|\\.|\[[^[\]\\]*\])*\]|\([^\\()[\]{}]*\)|[^\\[(]/sy;

/** Braces that are being read: the alternatives before the last comma, and what the one after it stands for so far. */
interface Open {
  start: number;
  before: string[];
  texts: string[];
  commas: number;
}

/**
 * The patterns without alternatives that a glob stands for, as fast-glob expands it: `src/{a,b}.ts` is `src/a.ts` and
 * `src/b.ts`. Undefined if there are too many, or if this code cannot tell.
 */
export function expandBraces(glob: string): string[] | undefined {
  if (!glob.includes('{')) return [glob];
  if (glob.length > MOST_CHARACTERS || ODD.test(glob)) return undefined;
  const open: Open[] = [newBraces(0)];
  for (let at = 0; at < glob.length; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(glob)?.[0];
    const inner = open.at(-1) as Open;
    const outer = open.at(-2);
    if (token === undefined || (token.startsWith('(') && outer)) return undefined;
    at += token.length;
    if (token === '{') open.push(newBraces(at));
    else if (token === '}') {
      const closed = close(inner, glob.slice(inner.start, at - 1));
      const texts = outer && closed && product(outer.texts, closed);
      if (!texts) return undefined;
      outer.texts = texts;
      open.pop();
    } else if (token === ',' && outer) {
      inner.before.push(...inner.texts);
      inner.texts = [''];
      inner.commas += 1;
    } else inner.texts = inner.texts.map((text) => text + token);
  }
  const [all, unclosed] = open;
  return all && !unclosed ? [...new Set(all.texts)].filter((text) => text !== '') : undefined;
}

function newBraces(start: number): Open {
  return { start, before: [], texts: [''], commas: 0 };
}

/** The texts of closed braces. Without a comma they are a range, or they stay. */
function close({ before, texts, commas }: Open, inside: string): string[] | undefined {
  const hasDots = inside.includes('..');
  if (commas > 0) return hasDots ? undefined : [...before, ...texts];
  return hasDots ? expandRange(inside, MOST_PATTERNS) : texts.map((text) => `{${text}}`);
}

function product(left: readonly string[], right: readonly string[]): string[] | undefined {
  if (left.length * right.length > MOST_PATTERNS) return undefined;
  const texts = left.flatMap((before) => right.map((after) => before + after));
  return texts.reduce((sum, { length }) => sum + length, 0) > MOST_CHARACTERS ? undefined : texts;
}

const NUMBERS = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/;
const LETTERS = /^(?:([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z]))(?:\.\.(-?\d{1,9}))?$/;

/**
 * The texts of a brace range: `1..3` is 1, 2, 3. `01..10..3` is 01, 04, 07, 10. `c..a` is c, b, a. Undefined if it is none
 * or has more than `most`.
 */
function expandRange(range: string, most: number): string[] | undefined {
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

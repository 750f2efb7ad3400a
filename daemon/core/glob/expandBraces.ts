import { expandRange } from './expandRange.ts';

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

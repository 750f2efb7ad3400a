import { literal, type Part, QUESTION_MARK, type Read, STAR } from './part.ts';
import { readBracket } from './readBracket.ts';

type Reader = (text: string, at: number) => Read | undefined;

/** Not before a parenthesis, which makes an extended glob. More than two stars are read in an odd way. */
const STARS = /\*{1,2}(?![*(])/y;
/** `(auth)` or `(a|b)`, which picomatch takes for a group of a regular expression. */
const GROUP = /\(([\w. -]+(?:\|[\w. -]+)*)\)(?![*?+])/y;
/** `{{name}}`: without a comma or a range, braces stand for themselves. */
const BRACES = /(\{+)(?:(?!\.\.)[\w .:-])*(\}+)(?!\+)/y;
/** Before a letter a backslash makes a class of a regular expression; twice the same is read in an odd way. */
const ESCAPE = /\\([*?.]|([^\w/\\])(?!\2))/y;
/** Characters without a meaning of their own, or none in this place. */
const TEXT = /[!+@](?!\()|[^!?*+@[\](){}|"\\/]+|[\]/]/y;

const READERS: Readonly<Record<string, Reader>> = {
  '*': readAs(STARS, () => STAR),
  '?': readAs(/\?(?!\()/y, () => QUESTION_MARK),
  '[': readBracket,
  '(': readAs(GROUP, (_, inside = '') => ({ is: 'oneOf', options: inside.split('|').map(literal) })),
  '{': readAs(BRACES, (whole, opening, closing) => (opening?.length === closing?.length ? literal(whole) : undefined)),
  '\\': readAs(ESCAPE, (_, escaped = '') => literal(escaped)),
};

const readText = readAs(TEXT, literal);

/** The next part of a pattern, but for `**`. Undefined if this code does not know how picomatch reads it. */
export function readPart(text: string, at: number): Read | undefined {
  const reader = READERS[text[at] as string] ?? readText;
  return reader(text, at);
}

function readAs(pattern: RegExp, partOf: (whole: string, ...groups: string[]) => Part | undefined): Reader {
  return (text, at) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    const part = found && partOf(found[0], ...found.slice(1));
    return part ? { part, next: at + found[0].length } : undefined;
  };
}

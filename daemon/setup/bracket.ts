const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  digit: /\d/,
  lower: /[a-z]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r\v\f]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** The end of the bracket that begins at `from`; undefined without one. */
export function bracketEnd(text: string, from: number): number | undefined {
  const isNegated = text[from + 1] === '!' || text[from + 1] === '^';
  for (let at = from + (isNegated ? 2 : 1), first = true; at < text.length; at++, first = false) {
    if (text[at] === ']' && !first) return at;
    if (text[at] === '\\') at += 1;
    else if (text.startsWith('[:', at)) {
      const end = text.indexOf(':]', at + 2);
      if (end >= 0) at = end + 1;
    }
  }
  return undefined;
}

/** True if a character is in a whole bracket, such as `[!a-z[:digit:]]`. */
export function inBracket(bracket: string, character: string): boolean {
  const isNegated = bracket[1] === '!' || bracket[1] === '^';
  const body = bracket.slice(isNegated ? 2 : 1, -1);
  let found = false;
  for (let at = 0; at < body.length; ) {
    const named = /^\[:(\w+):\]/.exec(body.slice(at));
    if (named) {
      found ||= CLASSES[named[1] as string]?.test(character) ?? false;
      at += named[0].length;
      continue;
    }
    const [from, next] = readOne(body, at);
    const isRange = body[next] === '-' && next + 1 < body.length;
    const [to, end] = isRange ? readOne(body, next + 1) : [from, next];
    found ||= from <= character && character <= to;
    at = end;
  }
  return found !== isNegated;
}

function readOne(body: string, at: number): [character: string, next: number] {
  const isEscaped = body[at] === '\\' && at + 1 < body.length;
  return isEscaped ? [body[at + 1] as string, at + 2] : [body[at] as string, at + 1];
}

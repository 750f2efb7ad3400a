/** The current colours and flags of a terminal, as parameters of an SGR sequence. */
interface Attributes {
  flags: string;
  letters: string;
  ground: string;
}

/** A style, and the styles that follow from it. Equal styles are one object. */
export interface LineStyle {
  /** The parameters of the sequence that sets this style; empty for plain text. */
  readonly text: string;
  /** It has a background colour, with which a terminal fills new rows. */
  readonly hasGround: boolean;
  /** The style after a colour sequence; undefined for an uncommon sequence. */
  after(parameters: string): LineStyle | undefined;
}

/** A limit, because programs that paint gradients would fill the memory. */
const MOST_STYLES = 4096;
const FLAG_OFF: Record<number, RegExp> = { 22: /[12]/g, 23: /3/g, 24: /4/g, 27: /7/g, 29: /9/g };
/** Blinking, hidden and overlined text. A transcript does not show these. */
const NOT_SHOWN = new Set([5, 8, 25, 28, 53, 55]);

let styles = new Map<string, LineStyle>();

export function plainStyle(): LineStyle {
  return styleOf({ flags: '', letters: '', ground: '' });
}

function styleOf(attributes: Attributes): LineStyle {
  const { flags, letters, ground } = attributes;
  const text = [...flags, letters, ground].filter((part) => part !== '').join(';');
  const known = styles.get(text);
  if (known) return known;
  if (styles.size >= MOST_STYLES) styles = new Map();
  const followers = new Map<string, LineStyle | undefined>();
  const style: LineStyle = {
    text,
    hasGround: ground !== '',
    after(parameters) {
      if (followers.has(parameters)) return followers.get(parameters);
      const next = change(attributes, parameters);
      const follower = next && styleOf(next);
      if (followers.size < MOST_STYLES / 16) followers.set(parameters, follower);
      return follower;
    },
  };
  styles.set(text, style);
  return style;
}

function change(before: Attributes, parameters: string): Attributes | undefined {
  const codes = parameters.split(';').map(Number);
  if (codes.length > 16) return undefined;
  const next = { ...before };
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] as number;
    if (code === 38 || code === 48) {
      const used = codes[at + 1] === 5 ? 3 : 5;
      const colour = extended(code === 38 ? 3 : 4, codes.slice(at + 1, at + used));
      if (colour === undefined) return undefined;
      next[code === 38 ? 'letters' : 'ground'] = colour;
      at += used - 1;
    } else if (!set(next, code)) return undefined;
  }
  return next;
}

function set(style: Attributes, code: number): boolean {
  const off = FLAG_OFF[code];
  if (code === 0) Object.assign(style, { flags: '', letters: '', ground: '' });
  else if ([1, 2, 3, 4, 7, 9].includes(code)) style.flags = [...new Set([...style.flags, `${code}`])].sort().join('');
  else if (off) style.flags = style.flags.replace(off, '');
  else if ((code >= 30 && code <= 37) || code === 39) style.letters = code === 39 ? '' : `${code}`;
  else if ((code >= 40 && code <= 47) || code === 49) style.ground = code === 49 ? '' : `${code}`;
  else if (code >= 90 && code <= 97) style.letters = `38;5;${code - 82}`;
  else if (code >= 100 && code <= 107) style.ground = `48;5;${code - 92}`;
  else return NOT_SHOWN.has(code);
  return true;
}

function extended(base: 3 | 4, [kind, ...values]: number[]): string | undefined {
  if (values.some((value) => value > 255)) return undefined;
  const [index = 0] = values;
  if (kind === 5 && values.length === 1) return index < 8 ? `${base}${index}` : `${base}8;5;${index}`;
  return kind === 2 && values.length === 3 ? `${base}8;2;${values.join(';')}` : undefined;
}

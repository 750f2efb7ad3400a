/** One line of text that a person types. */
export interface Field {
  readonly text: string;
  /** Characters before the cursor. */
  readonly at: number;
}

export function field(text = ''): Field {
  return { text, at: [...text].length };
}

const PASTE = 'paste:';

/** Pasted text as a key: no binding has it, and every field takes it. */
export function pasteKey(text: string): string {
  return PASTE + text;
}

/** The field after a key; undefined for a key it does not use. */
export function typed({ text, at }: Field, key: string): Field | undefined {
  const letters = [...text];
  const split = (from: number, to: number, put = ''): Field => ({
    text: [...letters.slice(0, from), put, ...letters.slice(to)].join(''),
    at: from + [...put].length,
  });
  switch (key) {
    case 'left':
    case 'C-b':
      return { text, at: Math.max(0, at - 1) };
    case 'right':
    case 'C-f':
      return { text, at: Math.min(letters.length, at + 1) };
    case 'home':
    case 'C-a':
      return { text, at: 0 };
    case 'end':
    case 'C-e':
      return { text, at: letters.length };
    case 'backspace':
      return at === 0 ? { text, at } : split(at - 1, at);
    case 'delete':
    case 'C-d':
      return split(at, at + 1);
    case 'C-u':
      return split(0, at);
    case 'C-k':
      return split(at, letters.length);
    case 'C-w':
      return split(
        [
          ...letters
            .slice(0, at)
            .join('')
            .replace(/\S*\s*$/, ''),
        ].length,
        at,
      );
    default:
      if (key.startsWith(PASTE)) return split(at, at, key.slice(PASTE.length));
      return [...key].length === 1 ? split(at, at, key) : undefined;
  }
}

/** Likely secrets of files that devflow copied, by the worktree that has them. */
const known = new Map<string, readonly string[]>();
/** All forms in which they are printed, the longest first: it may contain a shorter one. */
let forms: readonly string[] = [];

/** From now on these values are masked wherever devflow keeps or shows output. None: the worktree is gone. */
export function knowSecrets(worktree: string, values: readonly string[]): void {
  if (values.length === 0) known.delete(worktree);
  else known.set(worktree, values);
  const all = [...known.values()].flat().flatMap(formsOf);
  forms = [...new Set(all)].sort((a, b) => b.length - a.length);
}

/** Text may be UTF-16 or, in transcripts, one character per byte. */
function formsOf(value: string): string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  return [value, escaped, encodeURIComponent(value.toWellFormed())].flatMap((form) => [
    form,
    Buffer.from(form, 'utf8').toString('latin1'),
  ]);
}

/** Calls `cover` for each known secret in the text. */
export function coverKnown(text: string, cover: (secret: string) => string): string {
  return forms.reduce((masked, form) => (masked.includes(form) ? masked.replaceAll(form, cover) : masked), text);
}

const LEAST_BEGINNING = 4;

/** The length of the end of a text with which a known secret may begin; 0 for none. It may have blanks. */
export function beginningOfKnown(text: string): number {
  return forms.reduce((longest, form) => {
    for (let length = Math.min(form.length - 1, text.length); length > longest; length -= 1) {
      if (length >= LEAST_BEGINNING && text.endsWith(form.slice(0, length))) return length;
    }
    return longest;
  }, 0);
}

/** Characters of a title. A commit subject has at most as many. */
export const TITLE_LENGTH = 72;
/** The characters of a text in which its title stands. A list reads no more of it. */
export const TITLE_WITHIN = 2000;

const UNNAMED = 'Work of devflow';

/** The first line with a word, without Markdown's heading and list signs, cut to the length of a title. */
export function titleOf(text: string): string {
  const lines = text.slice(0, TITLE_WITHIN).split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  for (const line of lines) {
    const words = FENCE.test(line) ? '' : oneLine(line.replace(/^[\s#>*-]+/, ''));
    if (/[\p{L}\p{N}\p{S}]/u.test(words)) return cutTitle(words);
  }
  return UNNAMED;
}

const FENCE = /^\s*(`{3}|~{3})/;

/** What an agent or a person calls its work, as one line; undefined if no word is left of it. */
export function titleFrom(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const words = oneLine(given.slice(0, TITLE_WITHIN));
  return /[\p{L}\p{N}]/u.test(words) ? cutTitle(words) : undefined;
}

/** No log keeps NUL. The other invisible characters stay, since every reader shows them. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', ' ')
    .replace(/[\s\u0085]+/g, ' ')
    .trim();
}

/** Cut between two words, if that leaves more than half. */
export function cutTitle(words: string): string {
  if (words.length <= TITLE_LENGTH) return words;
  const cut = words.slice(0, TITLE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > TITLE_LENGTH / 2 ? space : cut.length).trimEnd()}…`;
}

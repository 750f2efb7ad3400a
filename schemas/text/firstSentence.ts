import { cutTitle, oneLine, TITLE_WITHIN } from './titleOf.ts';

/** A period after these ends no sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|cf|vs|etc|approx|resp|incl)$/i;
/** The end of a sentence, with closing quotes; what follows begins another. */
const END = /[.!?]+["'”’)\]`]*(?=\s+["'“‘([`]*[\p{Lu}\p{Lo}\p{N}`]|$)|[。！？]/gu;
/** It would be a trailer, or a command to `git rebase --autosquash`. */
const SPECIAL = /^(?:devflow-[\w-]*\s*:|(?:fixup|squash|amend)!)/i;

/** The first sentence of a summary as the subject of a commit; undefined if there is none. */
export function firstSentence(summary: string): string | undefined {
  const text = oneLine(firstParagraph(summary.slice(0, TITLE_WITHIN)));
  const sentence = upToEnd(text)
    .replace(/[.。]+$/, '')
    .trimEnd();
  if (!/[\p{L}\p{N}]/u.test(sentence) || SPECIAL.test(sentence)) return undefined;
  return cutTitle(sentence);
}

function upToEnd(text: string): string {
  for (const found of text.matchAll(END)) {
    const before = text.slice(0, found.index);
    if (!found[0].startsWith('.') || !ABBREVIATION.test(before)) return before + found[0];
  }
  return text;
}

/** The lines of the first paragraph or list item, without headings and code. */
function firstParagraph(text: string): string {
  const found: string[] = [];
  let fence = '';
  for (const line of text.split(/\r\n|[\n\r]/)) {
    const mark = /^\s*(`{3}|~{3})/.exec(line)?.[1] ?? '';
    if (mark !== '' && (fence === '' || fence === mark)) fence = fence === '' ? mark : '';
    const isNew = mark !== '' || /^\s*(#|>|[*-]\s|$)/.test(line);
    if (isNew && found.length > 0) break;
    const words = line.replace(/^[\s>*-]+/, '').trim();
    if (mark === '' && fence === '' && words !== '' && !words.startsWith('#')) found.push(words);
  }
  return found.join(' ');
}

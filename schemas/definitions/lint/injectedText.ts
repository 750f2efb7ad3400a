/** A sentence that tells an agent to ignore what it was told; undefined if there is none outside of quotes. */
export function injectedSentence(text: string): string | undefined {
  const plain = text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, ' ')
    .replaceAll(/^\s*>.*$/gm, ' ')
    .replaceAll(/"[^"\n]{0,500}"|`[^`\n]{0,500}`|“[^”\n]{0,500}”/g, ' ')
    .replaceAll(/\s+/g, ' ');
  for (const { 0: found, index } of plain.matchAll(OVERRIDE)) {
    if (!NEGATED.test(plain.slice(Math.max(0, index - 12), index))) return found;
  }
  return undefined;
}

const VERB = 'ignore|disregard|forget|override';
const EARLIER = 'previous|prior|above|earlier|preceding';
const TOLD = 'instructions?|prompts?|rules?|messages?|directions?|orders?';
const OVERRIDE = new RegExp(
  String.raw`\b(?:${VERB})\b[^.!?]{0,40}?\b(?:(?:${EARLIER})\b[^.!?]{0,20}?\b(?:${TOLD})|(?:${TOLD})\b[^.!?]{0,20}?\b(?:${EARLIER}))\b`,
  'gi',
);
const NEGATED = /(?:\bnot|\bnever|n't)\s*$/i;

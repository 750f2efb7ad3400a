import type { Fault } from '../phase/kindDefinition.ts';
import { splitPlaceholders } from '../placeholders.ts';
import type { Template } from '../template.ts';

const LONGEST = 32 * 1024;

/** Rules of a text that an agent reads. */
export function agentTextFaults(text: string, path: (string | number)[]): Fault[] {
  const bytes = Buffer.byteLength(text);
  const injected = injectedSentence(text);
  return [
    ...(bytes > LONGEST
      ? [{ path, code: 'long_instructions' as const, message: `the text has ${bytes} bytes, more than ${LONGEST}` }]
      : []),
    ...(injected === undefined
      ? []
      : [
          {
            path,
            code: 'injected_text' as const,
            message: `the text tells an agent: ${injected}`,
            part: { text: injected, nth: 0 },
          },
        ]),
  ];
}

/** Rules of the instructions of all phases. */
export function textRules({ phases }: Template): Fault[] {
  return phases.flatMap(({ key, instructions }, index): Fault[] => {
    if (instructions === undefined) return [];
    const path = ['phases', index, 'instructions'];
    const faults = agentTextFaults(instructions, path);
    const open = splitPlaceholders(instructions).around.find((text) => text.includes('{{'));
    if (open !== undefined) {
      const message = `a placeholder of phase ${key} does not end with }}`;
      const text = open.slice(open.indexOf('{{')).split('\n')[0]?.trimEnd() ?? '';
      faults.push({ path, code: 'unclosed_placeholder', message, part: { text, nth: 0 } });
    }
    const push = linePushing(instructions);
    if (push !== undefined) {
      const message = `the instructions of phase ${key} ask for git push`;
      faults.push({ path, code: 'pushes', message, part: { text: push.trim(), nth: 0 } });
    }
    return faults;
  });
}

function linePushing(instructions: string): string | undefined {
  return instructions.split('\n').find((line) => /\bgit push\b/.test(line) && !/\b(?:not|never|no)\b|n't/i.test(line));
}

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

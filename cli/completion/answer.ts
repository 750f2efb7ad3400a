import type { Io } from '../io.ts';
import { visible } from '../print/text.ts';
import { knownFor } from './known.ts';
import { pairsFor } from './pairs.ts';
import { type Candidate, type Place, placeAt } from './place.ts';
import { bashWord, unquoted } from './quoting.ts';
import type { CommandNode } from './tree.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/**
 * What a shell offers at the end of these words, for its script: a line with the kind (`words`, `files`, `directories`) and
 * what stays in front, then a candidate a line, a tab before its description.
 */
export async function answer(shell: Shell, words: readonly string[], nodes: readonly CommandNode[], io: Io) {
  const raw = words.at(-1) ?? '';
  const place = placeAt(nodes, words.slice(0, -1).map(shell === 'bash' ? unquoted : asIs), currentWord(shell, raw));
  const { offer, lead } = place;
  if (offer.type === 'files' || offer.type === 'directories') return `${offer.type}\t${lead}\n`;
  const lines = (await candidatesAt(place, io)).flatMap(([value, description]) => {
    const whole = lead + value;
    // No shell holds such a word in one line.
    if (!value.startsWith(place.word) || visible(value) !== value) return [];
    const word = shell === 'bash' ? bashWord(whole, raw) : whole;
    return word === undefined ? [] : [`${word}\t${visible(description)}\n`];
  });
  return `words\t${lead}\n${lines.join('')}`;
}

const asIs = (word: string) => word;

/** bash and fish give the word under the cursor as it is written. */
function currentWord(shell: Shell, raw: string): string {
  return shell === 'zsh' ? raw : unquoted(raw);
}

async function candidatesAt(place: Place, io: Io): Promise<readonly Candidate[]> {
  const { offer } = place;
  switch (offer.type) {
    case 'candidates':
      return offer.candidates;
    case 'words':
      return offer.words.map((word): Candidate => [word, '']);
    case 'known':
      return knownFor(offer.kind, place, io);
    case 'pairs':
      return pairsFor(offer.kind, place, io);
    case 'files':
    case 'directories':
    case 'nothing':
      return [];
    default:
      return offer satisfies never;
  }
}

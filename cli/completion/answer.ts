import type { Io } from '../io/io.ts';
import { visible } from '../print/text.ts';
import { type Candidate, type Cursor, cursorAt } from './cursor.ts';
import { knownFor } from './known.ts';
import { pairsFor } from './pairs.ts';
import { bashWord, unquoted } from './quoting.ts';
import type { CommandNode } from './tree.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/**
 * The answer for a shell's completion script. The first line has the kind (`words`, `files`, `directories`) and the text to
 * keep in front. Each further line has a candidate, a tab and its description.
 */
export async function answer(shell: Shell, words: readonly string[], nodes: readonly CommandNode[], io: Io) {
  const raw = words.at(-1) ?? '';
  const cursor = cursorAt(nodes, words.slice(0, -1).map(shell === 'bash' ? unquoted : asIs), currentWord(shell, raw));
  const { offer, lead } = cursor;
  if (offer.type === 'files' || offer.type === 'directories') return `${offer.type}\t${lead}\n`;
  const candidates = await candidatesAt(cursor, io);
  if (offer.type === 'knownOrFiles' && !candidates.some(([value]) => value.startsWith(cursor.word))) {
    return `files\t${lead}\n`;
  }
  const lines = candidates.flatMap(([value, description]) => {
    const whole = lead + value;
    // No shell can complete a word with invisible characters.
    if (!value.startsWith(cursor.word) || visible(value) !== value) return [];
    const word = shell === 'bash' ? bashWord(whole, raw) : whole;
    return word === undefined ? [] : [`${word}\t${visible(description)}\n`];
  });
  return `words\t${lead}\n${lines.join('')}`;
}

const asIs = (word: string) => word;

/** bash and fish pass the word under the cursor with its quotes. */
function currentWord(shell: Shell, raw: string): string {
  return shell === 'zsh' ? raw : unquoted(raw);
}

async function candidatesAt(cursor: Cursor, io: Io): Promise<readonly Candidate[]> {
  const { offer } = cursor;
  switch (offer.type) {
    case 'candidates':
      return offer.candidates;
    case 'words':
      return offer.words.map((word): Candidate => [word, '']);
    case 'known':
    case 'knownOrFiles':
      return knownFor(offer.kind, cursor, io);
    case 'pairs':
      return pairsFor(offer.kind, cursor, io);
    case 'files':
    case 'directories':
    case 'nothing':
      return [];
    default:
      return offer satisfies never;
  }
}

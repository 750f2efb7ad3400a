import { sha256hex } from '../../../../schemas/hash.ts';
import type { Witness } from '../../../../schemas/kinds/review/events.ts';
import { compareText } from '../../../../schemas/text/compareText.ts';
import { oneSpaced } from '../../../../schemas/text/phrases.ts';

const FILES = 40;
const LINES = 3;
/** An agent cannot quote a line of a minified file. */
const LONGEST = 300;

type Lines = readonly { line: number; text: string }[];

interface ChangedLines {
  path: string;
  lines: Lines;
  /** The lines that the change removed, and where they were. */
  removed?: { path: string; lines: Lines };
}

/**
 * Changed lines whose text a reviewer must quote: three of a file, of at most forty files. The seed decides which. Removed lines
 * fill up where a file has too few others.
 */
export function drawWitnesses(seed: string, files: readonly ChangedLines[]): Witness[] {
  const ranked = files
    .map((file) => ({ file, rank: sha256hex(`${seed}\0${file.path}`) }))
    .sort((a, b) => compareText(a.rank, b.rank));
  const drawn: Witness[][] = [];
  for (const { file } of ranked) {
    if (drawn.length === FILES) break;
    const ofFile = witnessesOf(seed, file);
    if (ofFile.length > 0) drawn.push(ofFile);
  }
  return drawn.flat().sort((a, b) => compareText(a.path, b.path) || compareText(a.side ?? '', b.side ?? ''));
}

function witnessesOf(seed: string, { path, lines, removed }: ChangedLines): Witness[] {
  const fresh = draw(`${seed}\0${path}`, telling(path, lines), LINES);
  const witnesses: Witness[] = fresh.length > 0 ? [{ path, lines: fresh }] : [];
  if (!removed) return witnesses;
  const old = draw(`${seed}\0${removed.path}\0old`, telling(removed.path, removed.lines), LINES - fresh.length);
  return old.length > 0 ? [...witnesses, { path: removed.path, side: 'old', lines: old }] : witnesses;
}

function telling(path: string, lines: Lines): number[] {
  return UNREADABLE.test(path) ? [] : lines.filter(isTelling).map(({ line }) => line);
}

/** Three letters or digits. A reviewer could guess a line like `});`. */
const TELLING = /[\p{L}\p{N}](?:[^\p{L}\p{N}]*[\p{L}\p{N}]){2}/u;
/** Invisible characters, and what stands for bytes that are no UTF-8: an agent may see something else, or nothing. */
const UNREADABLE = /[^\P{C}\t]|\ufffd/u;

function isTelling({ text }: { text: string }): boolean {
  return text.trim().length <= LONGEST && TELLING.test(text) && !UNREADABLE.test(text);
}

/** One hash for each drawn line, because a hash for each changed line takes a second for a large change. */
function draw(seed: string, lines: readonly number[], most: number): number[] {
  if (lines.length <= most) return lines.toSorted((a, b) => a - b);
  const drawn = new Set<number>();
  for (let nth = 0; drawn.size < most; nth += 1) {
    const value = Number.parseInt(sha256hex(`${seed}\0${nth}`).slice(0, 12), 16);
    drawn.add(value % lines.length);
  }
  return [...drawn].map((index) => lines[index] as number).sort((a, b) => a - b);
}

interface Coverage {
  path: string;
  side?: Side;
  witness: readonly { line: number; text: string }[];
}

type Side = 'new' | 'old';

interface Fault {
  path: string;
  message: string;
}

/** Faults in the quotes of a reviewer. The messages never contain the right text, or it could be copied. */
export function witnessFaults(
  wanted: readonly Witness[],
  coverage: readonly Coverage[],
  textAt: (path: string, line: number, side: Side) => string | undefined,
): Fault[] {
  const given = new Map<string, { line: number; text: string; pointer: string }[]>();
  for (const [i, { path, side = 'new', witness }] of coverage.entries()) {
    const quotes = witness.map((each, j) => ({ ...each, pointer: `/coverage/${i}/witness/${j}/text` }));
    const key = `${side} ${path}`;
    given.set(key, [...(given.get(key) ?? []), ...quotes]);
  }
  return wanted.flatMap(({ path, side: of, lines }) => {
    const side: Side = of ?? 'new';
    const quotes = given.get(`${side} ${path}`);
    const words = WORDS[side];
    if (!quotes) return [missingFile(path, lines, words)];
    return lines.flatMap((line) => {
      const text = textAt(path, line, side);
      // A reviewer cannot quote a line that is not there.
      if (text === undefined) return [];
      const ofLine = quotes.filter((quote) => quote.line === line);
      if (ofLine.length === 0) return [missingLine(path, line, words)];
      return ofLine
        .filter((quote) => oneSpaced(quote.text) !== oneSpaced(text))
        .map(({ pointer }) => wrongText(pointer, path, line, words));
    });
  });
}

/** The words of a message about one side: old or new text, where to read it, and what to add. */
interface Words {
  of: string;
  read: string;
  entry: string;
  at: string;
}

const WORDS: Readonly<Record<Side, Words>> = {
  new: { of: '', read: 'Read it', entry: 'an entry for it', at: ' in the reviewed commit' },
  old: {
    of: ', as it was before the change,',
    read: 'Read it below the Before directory',
    entry: 'an entry for it with "side": "old"',
    at: ' before the change',
  },
};

function missingFile(path: string, lines: readonly number[], { of, read, entry }: Words): Fault {
  const named = lines.length === 1 ? `line ${lines[0]}` : `the lines ${lines.join(', ')}`;
  const message = `The file ${path}${of} is missing. ${read}, add ${entry}, and quote the text of ${named} exactly.`;
  return { path: '/coverage', message };
}

function missingLine(path: string, line: number, { of, read }: Words): Fault {
  const message = `Line ${line} of ${path}${of} is missing. ${read}, add it to "witness", and quote the text of that line exactly.`;
  return { path: '/coverage', message };
}

function wrongText(pointer: string, path: string, line: number, { at, read }: Words): Fault {
  const message = `This is not line ${line} of ${path}${at}. ${read}, and quote the text of that line exactly.`;
  return { path: pointer, message };
}

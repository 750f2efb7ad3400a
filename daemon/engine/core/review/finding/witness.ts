import type { Witness } from '../../../../../schemas/events/review.ts';
import { sha256hex } from '../../../../../schemas/hash.ts';
import { oneSpaced } from './oneSpaced.ts';

const FILES = 40;
const LINES = 3;
/** An agent cannot quote a line of a minified file. */
const LONGEST = 300;

interface ChangedLines {
  path: string;
  lines: readonly { line: number; text: string }[];
}

/** Changed lines whose text a reviewer must quote: three of a file, of at most forty files. The seed decides which. */
export function drawWitnesses(seed: string, files: readonly ChangedLines[]): Witness[] {
  const ranked = files
    .map((file) => ({ file, rank: sha256hex(`${seed}\0${file.path}`) }))
    .sort((a, b) => compare(a.rank, b.rank));
  const witnesses: Witness[] = [];
  for (const { file } of ranked) {
    if (witnesses.length === FILES) break;
    const lines = UNREADABLE.test(file.path) ? [] : file.lines.filter(isTelling).map(({ line }) => line);
    if (lines.length > 0) witnesses.push({ path: file.path, lines: draw(`${seed}\0${file.path}`, lines) });
  }
  return witnesses.sort((a, b) => compare(a.path, b.path));
}

/** Three letters or digits. A reviewer could guess a line like `});`. */
const TELLING = /[\p{L}\p{N}](?:[^\p{L}\p{N}]*[\p{L}\p{N}]){2}/u;
/** Invisible characters, and what stands for bytes that are no UTF-8: an agent may see something else, or nothing. */
const UNREADABLE = /[^\P{C}\t]|\ufffd/u;

function isTelling({ text }: { text: string }): boolean {
  return text.trim().length <= LONGEST && TELLING.test(text) && !UNREADABLE.test(text);
}

/** One hash for each drawn line, because a hash for each changed line takes a second for a large change. */
function draw(seed: string, lines: readonly number[]): number[] {
  if (lines.length <= LINES) return lines.toSorted((a, b) => a - b);
  const drawn = new Set<number>();
  for (let nth = 0; drawn.size < LINES; nth += 1) {
    const value = Number.parseInt(sha256hex(`${seed}\0${nth}`).slice(0, 12), 16);
    drawn.add(value % lines.length);
  }
  return [...drawn].map((index) => lines[index] as number).sort((a, b) => a - b);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Coverage {
  path: string;
  witness: readonly { line: number; text: string }[];
}

interface Fault {
  path: string;
  message: string;
}

/** What is wrong with the quotes of a reviewer. The messages never contain the right text, or it could be copied. */
export function witnessFaults(
  wanted: readonly Witness[],
  coverage: readonly Coverage[],
  textAt: (path: string, line: number) => string | undefined,
): Fault[] {
  const given = new Map<string, { line: number; text: string; pointer: string }[]>();
  for (const [i, { path, witness }] of coverage.entries()) {
    const quotes = witness.map((each, j) => ({ ...each, pointer: `/coverage/${i}/witness/${j}/text` }));
    given.set(path, [...(given.get(path) ?? []), ...quotes]);
  }
  return wanted.flatMap(({ path, lines }) => {
    const quotes = given.get(path);
    if (!quotes) return [missingFile(path, lines)];
    return lines.flatMap((line) => {
      const text = textAt(path, line);
      // A reviewer cannot quote a line that is not there.
      if (text === undefined) return [];
      const ofLine = quotes.filter((quote) => quote.line === line);
      if (ofLine.length === 0) return [missingLine(path, line)];
      return ofLine
        .filter((quote) => oneSpaced(quote.text) !== oneSpaced(text))
        .map(({ pointer }) => wrongText(pointer, path, line));
    });
  });
}

function missingFile(path: string, lines: readonly number[]): Fault {
  const named = lines.length === 1 ? `line ${lines[0]}` : `the lines ${lines.join(', ')}`;
  const message = `The file ${path} is missing. Read it, add an entry for it, and quote the text of ${named} exactly.`;
  return { path: '/coverage', message };
}

function missingLine(path: string, line: number): Fault {
  const message = `Line ${line} of ${path} is missing. Read it, add it to "witness", and quote the text of that line exactly.`;
  return { path: '/coverage', message };
}

function wrongText(pointer: string, path: string, line: number): Fault {
  const message = `This is not line ${line} of ${path} in the reviewed commit. Read it, and quote the text of that line exactly.`;
  return { path: pointer, message };
}

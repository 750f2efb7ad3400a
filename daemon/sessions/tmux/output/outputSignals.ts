import { existsSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeInside } from '../../../../schemas/files/insideRoot.ts';
import { readRegular } from '../../../../schemas/files/openRegular.ts';
import { listOutputFiles } from './outputFiles.ts';

/** A program's reports by escape sequences in its output. */
export interface OutputSignals {
  /** The titles of this piece, in order. */
  readonly titles: readonly string[];
  /** The program turned bracketed paste on, and not off again. */
  readonly bracketedPaste: boolean;
}

const LONGEST_TITLE = 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for.
const SEQUENCES = /\x1b\](?:0|2);([^\x07\x1b]*)(?:\x07|\x1b\\)|\x1b\[\?2004([hl])/g;

/** Reads the stream piece by piece; a sequence may be cut anywhere. */
export function createOutputReader(bracketedPaste = false): { push(bytes: Buffer): OutputSignals } {
  let carry = '';
  let isOn = bracketedPaste;
  return {
    push(bytes) {
      const text = carry + bytes.toString('latin1');
      let end = 0;
      const titles: string[] = [];
      for (const match of text.matchAll(SEQUENCES)) {
        end = match.index + match[0].length;
        if (match[2] !== undefined) isOn = match[2] === 'h';
        else titles.push(Buffer.from(match[1] ?? '', 'latin1').toString());
      }
      // A title's own end begins with ESC, so an open sequence may begin before the last ESC.
      const title = text.lastIndexOf('\x1b]');
      const open = title >= end ? title : text.lastIndexOf('\x1b');
      carry = open >= end && text.length - open < LONGEST_TITLE ? text.slice(open) : '';
      return { bracketedPaste: isOn, titles };
    },
  };
}

const ON = Buffer.from('\x1b[?2004h');
const OFF = Buffer.from('\x1b[?2004l');

/** Remembers the setting when the output with its sequence is deleted. */
const SETTING_FILE = 'bracketed-paste';
/** Far more than one output file holds. */
const MOST_BYTES = 256 * 1024 * 1024;

/** True if bracketed paste is on. Searched from the end, since the output may be long. */
export function readBracketedPaste(directory: string): boolean {
  if (!existsSync(directory)) return false;
  let after = Buffer.alloc(0);
  for (const { name } of listOutputFiles(directory).reverse()) {
    const read = readRegular(join(directory, name), MOST_BYTES);
    const bytes = Buffer.concat([read.ok ? read.bytes : Buffer.alloc(0), after.subarray(0, ON.length - 1)]);
    const [on, off] = [bytes.lastIndexOf(ON), bytes.lastIndexOf(OFF)];
    if (on !== off) return on > off;
    after = bytes;
  }
  return existsSync(join(directory, SETTING_FILE));
}

/** When the pane last printed, by its files, so also while nobody watched. Undefined if it never did. */
export function lastWrittenAt(directory: string): number | undefined {
  const last = existsSync(directory) ? listOutputFiles(directory).at(-1) : undefined;
  return last && lstatSync(join(directory, last.name), { throwIfNoEntry: false })?.mtimeMs;
}

/** Call it before output is deleted. */
export function keepBracketedPaste(directory: string): void {
  if (readBracketedPaste(directory)) writeInside(directory, SETTING_FILE, '');
  else rmSync(join(directory, SETTING_FILE), { force: true });
}

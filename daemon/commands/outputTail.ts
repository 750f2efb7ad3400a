import { closeSync, readSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { openRegular } from '../../schemas/files/openRegular.ts';
import { cutTo } from '../../schemas/text/phrases.ts';
import { visible } from '../../schemas/text/visible.ts';

const MOST_LINES = 40;
const MOST_LINE_CHARACTERS = 300;
const MOST_CHARACTERS = 6_000;
const END_BYTES = 32 * 1024;

/**
 * The last lines of both outputs of a command, for an agent that may not read their files. `clean` runs on the raw text, so
 * that no cut hides a part of what it looks for. Empty if there are none.
 */
export function outputTail(
  { stdoutPath, stderrPath }: { stdoutPath: string; stderrPath: string },
  clean: (text: string) => string = (text) => text,
): string {
  const [out, err] = [linesOf(clean(endOf(stdoutPath))), linesOf(clean(endOf(stderrPath)))] as const;
  // Lines that one output does not need go to the other.
  const ofErr = Math.min(err.length, Math.max(MOST_LINES / 2, MOST_LINES - out.length));
  const ofOut = Math.min(out.length, MOST_LINES - ofErr);
  const parts = [out.slice(out.length - ofOut), err.slice(err.length - ofErr)].filter(({ length }) => length > 0);
  const text = parts.map((lines) => lines.join('\n')).join('\n');
  return text.length <= MOST_CHARACTERS ? text : `…${text.slice(1 - MOST_CHARACTERS).toWellFormed()}`;
}

/** The end of a file; empty if it cannot be read. */
export function endOf(path: string, most = END_BYTES): string {
  const opened = openRegular(path);
  if (!opened.ok) return '';
  try {
    const from = Math.max(0, opened.facts.size - most);
    const bytes = Buffer.alloc(most);
    const length = readSync(opened.fd, bytes, 0, most, from);
    const text = bytes.toString('utf8', 0, length);
    // The first line is incomplete.
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } catch {
    return '';
  } finally {
    closeSync(opened.fd);
  }
}

function linesOf(text: string): string[] {
  const lines = stripVTControlCharacters(text).trimEnd().split('\n');
  const shown = lines.map((line) => visible(newestOf(line.trimEnd())));
  const cut = shown.map((line) => cutTo(line, MOST_LINE_CHARACTERS));
  return cut.length === 1 && cut[0] === '' ? [] : cut;
}

/** A line that a program wrote again and again, as the terminal shows it at last. */
function newestOf(line: string): string {
  return line.slice(line.lastIndexOf('\r') + 1);
}

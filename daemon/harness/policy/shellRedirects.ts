import type { Command, Word } from './finding.ts';
import { ShellUnreadable } from './shellUnreadable.ts';
import { type ScannedWord, scanExpansion, scanWord } from './shellWords.ts';

export interface PendingHereDocument {
  command: Command;
  delimiter: string;
  /** Unquoted delimiter: the body's expansions are carried out. */
  expands: boolean;
  stripTabs: boolean;
}

export interface Redirect {
  end: number;
  target?: Word;
  scripts?: string[];
  /** A here-string. */
  text?: string | null;
  hereDocument?: Omit<PendingHereDocument, 'command'>;
}

const OPERATOR = /^(?:\d*|&)(<<<|<<-?|<>|<&|>>|>\||>&|<|>)|^&>>?/;

/** Reads a redirection with its target at `at`; undefined when there is none. Process substitution is no redirection. */
export function readRedirect(source: string, at: number): Redirect | undefined {
  const match = OPERATOR.exec(source.slice(at, at + 20));
  if (!match) return undefined;
  let start = at + match[0].length;
  const operator = match[1] ?? '>';
  while (source[start] === ' ' || source[start] === '\t') start += 1;
  if (source.startsWith('<(', start) || source.startsWith('>(', start)) return { end: start };
  const { word, end } = scanWord(source, start);
  if (end === start) throw new ShellUnreadable('a redirection has no target');
  const { scripts } = word;
  if (operator === '<<<') return { end, scripts, text: word.dynamic ? null : word.text };
  if (operator.startsWith('<<')) {
    return { end, hereDocument: { delimiter: word.text, expands: !word.quoted, stripTabs: operator === '<<-' } };
  }
  if (operator.endsWith('&') && /^\d+$|^-$/.test(word.text)) return { end };
  return { end, target: word, scripts };
}

/** Takes the body that starts at `from` for its command; adds its substitutions to `scripts`; the index after it. */
export function pushHereDocument(
  source: string,
  from: number,
  document: PendingHereDocument,
  scripts: string[],
): number {
  let body = '';
  let i = from;
  for (;;) {
    if (i >= source.length) throw new ShellUnreadable('a here-document has no end');
    const newline = source.indexOf('\n', i);
    const end = newline < 0 ? source.length : newline;
    const line = document.stripTabs ? source.slice(i, end).replace(/^\t+/, '') : source.slice(i, end);
    i = end + 1;
    if (line === document.delimiter) break;
    body += `${line}\n`;
  }
  const dynamic = document.expands && collectExpansions(body, scripts);
  document.command.input = dynamic ? null : body;
  return Math.min(i, source.length);
}

function collectExpansions(body: string, scripts: string[]): boolean {
  const word: ScannedWord = { text: '', dynamic: false, leading: false, scripts: [], quoted: true };
  for (let i = 0; i < body.length; ) {
    if (body[i] === '\\') i += 2;
    else if (body[i] === '$' || body[i] === '`') i = scanExpansion(body, i, word);
    else i += 1;
  }
  scripts.push(...word.scripts);
  return word.dynamic;
}

import type { Command, Word } from './finding.ts';
import { type PendingHereDocument, pushHereDocument, readRedirect } from './shellRedirects.ts';
import { skipParens } from './shellSpans.ts';
import { ShellUnreadable } from './shellUnreadable.ts';
import { type ScannedWord, scanWord } from './shellWords.ts';

/** What a script would run, in order, flattened: every branch, loop body, subshell and substitution is in it. */
export interface Script {
  commands: Command[];
  /** Scripts of substitutions, for the caller to read in turn. */
  scripts: string[];
}

/** Words before a command that leave it a command. */
const PREFIXES = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', '{', 'time']);
const CLOSERS = new Set(['fi', 'done', '}', 'esac']);

/** Reads a POSIX or bash script. Throws ShellUnreadable when any part of it has no certain reading. */
export function readScript(source: string): Script {
  const script: Script = { commands: [], scripts: [] };
  let command: Command & { words: ScannedWord[] } = { words: [], redirects: [] };
  let pending: PendingHereDocument[] = [];
  let i = 0;

  const finish = (piped: boolean) => {
    const done = command;
    command = { words: [], redirects: [] };
    const words = withoutReserved(done.words);
    if (words.length > 0 || done.redirects.length > 0) script.commands.push(Object.assign(done, { words }));
    if (piped) command.input = producedText(words);
  };

  while (i < source.length) {
    const c = source[i] as string;
    const process = /^[<>]\(/.test(source.slice(i, i + 2));
    if (process) {
      const end = skipParens(source, i + 2);
      script.scripts.push(source.slice(i + 2, end - 1));
      command.words.push({ text: source.slice(i, end), dynamic: true, leading: true, scripts: [], quoted: true });
      i = end;
    } else if (c === '\\' && source[i + 1] === '\n') i += 2;
    else if (c === '\n') {
      finish(false);
      i += 1;
      for (const document of pending) i = pushHereDocument(source, i, document, script.scripts);
      pending = [];
    } else if (/\s/.test(c)) i += 1;
    else if (c === '#') while (i < source.length && source[i] !== '\n') i += 1;
    else {
      const redirect = readRedirect(source, i);
      if (redirect) {
        i = redirect.end;
        if (redirect.target) command.redirects.push(redirect.target);
        if (redirect.scripts) script.scripts.push(...redirect.scripts);
        if (redirect.text !== undefined) command.input = redirect.text;
        if (redirect.hereDocument) pending.push({ ...redirect.hereDocument, command });
      } else if (/[;&|()]/.test(c)) {
        const piped = c === '|' && source[i + 1] !== '|';
        finish(piped);
        i += (c === '|' || c === '&') && source[i + 1] === c ? 2 : piped && source[i + 1] === '&' ? 2 : 1;
      } else {
        const { word, end } = scanWord(source, i);
        i = end;
        script.scripts.push(...word.scripts);
        command.words.push(word);
      }
    }
  }
  if (pending.length > 0) throw new ShellUnreadable('a here-document has no body');
  finish(false);
  return script;
}

function withoutReserved(words: ScannedWord[]): ScannedWord[] {
  let rest = words;
  for (;;) {
    const first = rest[0];
    if (!first || first.quoted || first.dynamic) return rest;
    if (first.text === 'case' || first.text === 'select' || first.text === 'function' || first.text === 'coproc') {
      throw new ShellUnreadable(`it uses ${first.text}`);
    }
    // `for x in a b` runs nothing itself; its words may still name files, which `:` lets the path rule see.
    if (first.text === 'for') return [{ ...first, text: ':' }, ...rest.slice(3)];
    if (!PREFIXES.has(first.text) && !CLOSERS.has(first.text)) return rest;
    rest = rest.slice(1);
  }
}

/** What the next command of a pipe reads: known for `echo` and `printf` of plain words, else null. */
function producedText(words: Word[]): string | null {
  const [first, ...rest] = words;
  if (!first || !/^(?:.*\/)?(?:echo|printf)$/.test(first.text)) return null;
  if (rest.some((word) => word.dynamic)) return null;
  const text = rest.map((word) => word.text).join(' ');
  return first.text.endsWith('echo') ? text.replace(/^(?:-[neE]+ )+/, '') : text.replaceAll('\\n', '\n');
}
